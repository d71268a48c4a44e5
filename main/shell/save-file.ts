import type { BrowserWindow, Dialog } from 'electron';
import { Refused } from '../requests/refused.ts';
import type { LogFile } from '../server/log-file.ts';
import { writeOver } from '../storage/write-over.ts';
import type { Questions } from './questions.ts';

interface FileSaverOptions {
  dialog: Pick<Dialog, 'showSaveDialog'>;
  ask: Questions['ask'];
  /** The window that the question belongs to. */
  window: () => BrowserWindow | undefined;
  log: LogFile;
}

/** All of a file crosses from the page at once. Bytes. */
export const largestFile = 256 * 1024 * 1024;

/**
 * Makes a function that asks the person where to save a file, and saves it there. It returns whether it was saved: not
 * when the person thought better of it, nor when it could not be written, which it says itself. Throws Refused while a
 * file is being saved already, as a page cannot bury a person under questions, and for what is too large.
 */
export function fileSaver({
  dialog,
  ask,
  window,
  log,
}: FileSaverOptions): (name: string, bytes: Uint8Array) => Promise<boolean> {
  /** The window that asks at the moment. The question of one that is gone may never be answered. */
  let asking: BrowserWindow | undefined;

  async function save(asker: BrowserWindow, name: string, bytes: Uint8Array): Promise<boolean> {
    const { canceled, filePath } = await dialog.showSaveDialog(asker, {
      defaultPath: plainFileName(name),
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    if (canceled || !filePath) return false;
    try {
      await writeOver(filePath, bytes);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log.note('a file could not be saved', { code: code ?? 'unknown' });
      await ask({
        type: 'error',
        message: 'The file was not saved',
        detail: `${filePath} cannot be written${reasons[code ?? ''] ?? ''}. Choose another place and save it again.`,
        buttons: ['OK'],
      });
      return false;
    }
  }

  return async (name, bytes) => {
    const asker = window();
    if (!asker) return false;
    if (bytes.byteLength > largestFile)
      throw new Refused(
        'This file is larger than 256 MiB, the most that the app can save. Choose a shorter period or fewer records, or save it from a browser.',
      );
    if (asking === asker) throw new Refused('Another file is being saved. Finish that first.');
    asking = asker;
    try {
      return await save(asker, name, bytes);
    } finally {
      if (asking === asker) asking = undefined;
    }
  };
}

const reasons: Record<string, string> = {
  EACCES: ', because you may not write there',
  EPERM: ', because you may not write there',
  EROFS: ', because that disk is read-only',
  ENOSPC: ', because the disk is full',
  EISDIR: ', because it is a folder',
  ELOOP: ', because it is a link that leads in a circle',
  ENOTSUP: ', because it is no file',
  ENOENT: ', because that folder is gone',
  EBUSY: ', because another program has it open',
};

/** A name that leads nowhere on any system: the page's words may be those of a hostile instance. */
export function plainFileName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|]|\p{C}/gu, '-')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-150);
  return plain || 'waypost';
}
