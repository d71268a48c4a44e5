import type { BrowserWindow } from 'electron';
import { expect, test, vi } from 'vitest';
import { pageWindow } from '../../../main/shell/page-window.ts';

vi.mock('electron', () => ({ ipcMain: {} }));

test('no window opens on the last way of the app, though the tray and the Dock still ask for one', () => {
  let ends = false;
  const opened = { isDestroyed: () => true } as BrowserWindow;
  const open = vi.fn(() => opened);
  const page = pageWindow({ open, isEnding: () => ends });
  page.show();
  expect(open).toHaveBeenCalledTimes(1);
  ends = true;
  page.show();
  page.send('new-link');
  expect(open).toHaveBeenCalledTimes(1);
});
