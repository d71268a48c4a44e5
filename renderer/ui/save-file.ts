import { askDesktop } from '../api/ask-desktop.ts';

/**
 * What became of a file: the desktop knows whether it was saved or the person thought better of it; a browser only
 * takes it over, and never says where it went.
 */
export type Saving = 'saved' | 'cancelled' | 'offered';

/**
 * Offers `content` as a file named `fileName`. Where it cannot be written the desktop says so, and it counts as
 * cancelled.
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
  // The browser has taken it over by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
  return 'offered';
}

/** The same for a text. */
export function saveText(text: string, type: string, fileName: string): Promise<Saving> {
  return saveFile(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}
