import { useEventListener } from '@vueuse/core';
import { onMounted, onScopeDispose, type Ref, shallowRef } from 'vue';

/** Text of the overlay while files are dragged over the window. */
export interface DropLabels {
  readonly title: string;
  readonly description: string;
}

/** A handler for files dropped on the window. */
export interface FileTaker {
  /**
   * Whether this is a visible, enabled picture field: pictures dropped anywhere then belong to it. If there are several
   * such fields, a picture must be dropped directly on one.
   */
  isForPictures?(): boolean;
  /** Undefined while files cannot be accepted. */
  labels(): DropLabels | undefined;
  take(files: File[]): void;
}

/** Newest last: the current page takes precedence over the frame. */
const takers: FileTaker[] = [];
/** The page names for which files can be handed over. */
const pagesOf = new WeakMap<FileTaker, string>();
/** Files dropped for a page that is still opening. */
let handedOver: { readonly page: string; readonly files: File[] } | undefined;

/**
 * Registers a handler for files dropped anywhere on the window, for the lifetime of the calling component. The newest
 * handler wins, except that visible picture fields take pictures. With `page`, it also receives the files that
 * `handOver` leaves for that page.
 */
export function useFileDrops(taker: FileTaker, page?: string): void {
  takers.push(taker);
  if (page !== undefined) pagesOf.set(taker, page);
  onScopeDispose(() => takers.splice(takers.indexOf(taker), 1));
  onMounted(() => {
    if (page === undefined || handedOver?.page !== page) return;
    const { files } = handedOver;
    handedOver = undefined;
    taker.take(files);
  });
}

/**
 * Leaves files for a page that is about to open; if it is already open, it takes them immediately. Returns a function
 * that withdraws the files, in case navigation fails.
 */
export function handOver(page: string, files: File[]): () => void {
  const open = takers.findLast((taker) => pagesOf.get(taker) === page);
  if (open) {
    open.take(files);
    return () => {};
  }
  const left = { page, files };
  handedOver = left;
  return () => {
    if (handedOver === left) handedOver = undefined;
  };
}

/**
 * Listens for files dragged onto the window; called once by the root component. Always prevents the browser from
 * navigating to a dropped file. `onFolders` is called for dropped folders, which are not supported. Returns the labels
 * to show during the drag.
 */
export function listenForFileDrops(onFolders: () => void): Readonly<Ref<DropLabels | undefined>> {
  const labels = shallowRef<DropLabels>();
  /** dragenter and dragleave fire for every element; the drag left the window when both counts are equal. */
  let depth = 0;
  /** Dragging a picture of this page also offers it as a file. */
  let isFromHere = false;

  const isOurs = ({ target, dataTransfer, defaultPrevented }: DragEvent) => {
    // File inputs handle drops themselves.
    const isField = target instanceof HTMLInputElement && target.type === 'file';
    return !isField && !defaultPrevented && dataTransfer?.types.includes('Files') === true;
  };
  function end(): void {
    depth = 0;
    labels.value = undefined;
  }

  function leave(event: DragEvent): void {
    // A cancelled drag no longer lists any files.
    if (depth === 0 || event.defaultPrevented) return;
    depth -= 1;
    if (depth <= 0 || event.relatedTarget === null) end();
  }
  /** If the element under the pointer was removed, dragleave fires on it but does not bubble to the document. */
  function leaveVanished(event: Event): void {
    if (event.target instanceof Node && !event.target.isConnected) leave(event as DragEvent);
  }

  useEventListener(document, 'dragstart', () => {
    isFromHere = true;
  });
  useEventListener(document, 'dragend', () => {
    isFromHere = false;
  });
  useEventListener(document, 'dragenter', (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    depth += 1;
    event.target?.addEventListener('dragleave', leaveVanished, { once: true });
    labels.value = isFromHere ? undefined : takerOf(event)?.labels();
  });
  useEventListener(document, 'dragover', (event) => {
    if (!isOurs(event)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = labels.value ? 'copy' : 'none';
  });
  useEventListener(document, 'dragleave', leave);
  useEventListener(document, 'drop', (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    end();
    const taker = takerOf(event);
    if (isFromHere || !taker?.labels()) return;
    const { files, folders } = droppedFiles(event.dataTransfer);
    if (folders > 0) onFolders();
    if (files.length > 0) taker.take(files);
  });
  return labels;
}

/** The handler for the dragged files; undefined if there is none, or if several picture fields could be meant. */
function takerOf({ dataTransfer }: DragEvent): FileTaker | undefined {
  const files = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const arePictures = files.length > 0 && files.every(({ type }) => type.startsWith('image/'));
  const fields = arePictures ? takers.filter((taker) => taker.isForPictures?.()) : [];
  if (fields.length > 0) return fields.length === 1 ? fields[0] : undefined;
  return takers.findLast(({ isForPictures }) => isForPictures === undefined);
}

/** Separates files from folders; a folder appears as a file that cannot be read. */
function droppedFiles(transfer: DataTransfer | null): { files: File[]; folders: number } {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  // Browsers without the entries API do not support dropping folders.
  const isFolder = (index: number) => items[index]?.webkitGetAsEntry?.()?.isDirectory === true;
  const all = [...(transfer?.files ?? [])];
  const files = all.filter((_file, index) => !isFolder(index));
  return { files, folders: all.length - files.length };
}
