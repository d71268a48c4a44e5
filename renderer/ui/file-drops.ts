import { useEventListener } from '@vueuse/core';
import { onMounted, onScopeDispose, type Ref, shallowRef } from 'vue';

/** What the window says while files are held over it. */
export interface DropLabels {
  readonly title: string;
  readonly description: string;
}

/** Who takes files that are dropped on the window. */
export interface FileTaker {
  /**
   * Whether this is a field for a picture, in sight and open: pictures that are dropped beside it are its own, and no
   * others'. Among several of them, only a drop on one of them says which is meant.
   */
  isForPictures?(): boolean;
  /** Undefined while nothing can be taken. */
  labels(): DropLabels | undefined;
  take(files: File[]): void;
}

/** Newest last: the page on top wins over the frame. */
const takers: FileTaker[] = [];
/** Which of them are pages that files are left for. */
const pagesOf = new WeakMap<FileTaker, string>();
/** What was dropped for a page that is only being opened. */
let handedOver: { readonly page: string; readonly files: File[] } | undefined;

/**
 * Takes the files that are dropped anywhere on the window while the calling component lives; the newest component that
 * asked wins, but for pictures where fields for them are in sight. With a `page`, also those that `handOver` leaves for
 * it.
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
 * Leaves files to a page that is about to be opened; one that is open already takes them at once. Returns the function
 * that takes them back, for when it is not opened after all.
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
 * Listens to files that are dragged here; the root does this once. A file never takes the place of the page, whoever
 * takes it or not. `onFolders` is told of folders, which nobody takes. Returns the labels to show now.
 */
export function listenForFileDrops(onFolders: () => void): Readonly<Ref<DropLabels | undefined>> {
  const labels = shallowRef<DropLabels>();
  /** Enter and leave come for every element on the way; the page is left when as many left as entered. */
  let depth = 0;
  /** A picture of the page itself is a file, too, while it is dragged. */
  let isFromHere = false;

  const isOurs = ({ target, dataTransfer, defaultPrevented }: DragEvent) => {
    // A field for files takes them itself.
    const isField = target instanceof HTMLInputElement && target.type === 'file';
    return !isField && !defaultPrevented && dataTransfer?.types.includes('Files') === true;
  };
  function end(): void {
    depth = 0;
    labels.value = undefined;
  }

  function leave(event: DragEvent): void {
    // A drag that was given up has no files any more.
    if (depth === 0 || event.defaultPrevented) return;
    depth -= 1;
    if (depth <= 0 || event.relatedTarget === null) end();
  }
  /** An element that vanished under the pointer is left as well, but the document does not hear of it. */
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
    // Without this the browser would open the file in place of the page.
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

/** Who would take what is dragged; undefined where nobody would, or where it is not known who of several. */
function takerOf({ dataTransfer }: DragEvent): FileTaker | undefined {
  const files = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const arePictures = files.length > 0 && files.every(({ type }) => type.startsWith('image/'));
  const fields = arePictures ? takers.filter((taker) => taker.isForPictures?.()) : [];
  if (fields.length > 0) return fields.length === 1 ? fields[0] : undefined;
  return takers.findLast(({ isForPictures }) => isForPictures === undefined);
}

/** A folder comes as a file that cannot be read. */
function droppedFiles(transfer: DataTransfer | null): { files: File[]; folders: number } {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  // An environment without entries knows no folders either.
  const isFolder = (index: number) => items[index]?.webkitGetAsEntry?.()?.isDirectory === true;
  const all = [...(transfer?.files ?? [])];
  const files = all.filter((_file, index) => !isFolder(index));
  return { files, folders: all.length - files.length };
}
