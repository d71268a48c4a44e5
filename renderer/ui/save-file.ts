import { askDesktop } from '../api/ask-desktop.ts';

/**
 * Result of saving a file. The desktop app knows whether the file was saved or the dialog cancelled; a browser does not
 * report what happened to a download.
 */
export type Saving = 'saved' | 'cancelled' | 'offered';

/**
 * Saves `content` as a file named `fileName`. If writing fails, the desktop app shows the error, and the result is
 * `cancelled`.
 */
export async function saveFile(content: Blob, fileName: string): Promise<Saving> {
  const { desktop } = window;
  if (desktop) {
    const bytes = new Uint8Array(await content.arrayBuffer());
    const isSaved = await askDesktop(() => desktop.saveFile(fileName, bytes));
    return isSaved ? 'saved' : 'cancelled';
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
  return 'offered';
}

/** `saveFile` for text. */
export function saveText(text: string, type: string, fileName: string): Promise<Saving> {
  return saveFile(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}
