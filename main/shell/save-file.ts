import type { BrowserWindow, Dialog } from 'electron';
import { Refused } from '../requests/refused.ts';
import type { LogFile } from '../server/log-file.ts';
import { writeOver } from '../storage/write-over.ts';
import type { Questions } from './questions.ts';

interface FileSaverOptions {
  dialog: Pick<Dialog, 'showSaveDialog'>;
  ask: Questions['ask'];
  /** The parent window of the dialog. */
  window: () => BrowserWindow | undefined;
  log: LogFile;
}

/** The page transfers the whole file in one call. Bytes. */
export const largestFile = 256 * 1024 * 1024;

/**
 * Creates a function that asks where to save a file and saves it. It returns whether the file was saved: false if the
 * user cancelled, or if writing failed, which is shown in an error dialog. Throws Refused while another file is being
 * saved, so that a page cannot flood the user with dialogs, and for a file that is too large.
 */
export function fileSaver({
  dialog,
  ask,
  window,
  log,
}: FileSaverOptions): (name: string, bytes: Uint8Array) => Promise<boolean> {
  /** The window with the open dialog. The dialog of a closed window may never resolve. */
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

/** A file name without path separators or reserved names; the page's text may come from a hostile instance. */
export function plainFileName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|]|\p{C}/gu, '-')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-150);
  return plain || 'waypost';
}
