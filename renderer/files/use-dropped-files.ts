import { useEventListener } from '@vueuse/core';
import { type Ref, ref } from 'vue';

/**
 * Takes files that are dropped anywhere on the page. Returns whether some are held over it now. Text and links that are
 * dragged are left alone.
 */
export function useDroppedFiles(take: (files: File[]) => void): Ref<boolean> {
  const isOver = ref(false);
  /** Enter and leave come for every element on the way; the page is left when as many left as entered. */
  let depth = 0;

  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

  useEventListener(document, 'dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    isOver.value = true;
  });
  useEventListener(document, 'dragover', (event) => {
    // Without this the browser would open the file in place of the page.
    if (hasFiles(event)) event.preventDefault();
  });
  useEventListener(document, 'dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    isOver.value = depth > 0;
  });
  useEventListener(document, 'drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    isOver.value = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) take(files);
  });
  return isOver;
}
