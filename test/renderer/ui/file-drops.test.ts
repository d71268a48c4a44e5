import UApp from '@nuxt/ui/components/App.vue';
import { useToast } from '@nuxt/ui/composables';
import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import { RouterView } from 'vue-router';
import { addressInFile, placeOf } from '../../../renderer/frame/dropped-file.ts';
import FileDrops from '../../../renderer/frame/FileDrops.vue';
import { useDroppedFiles } from '../../../renderer/frame/use-dropped-files.ts';
import { account, meta, openPage, type Page, settle } from '../page.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const everything = { links: true, import: true, files: true, backups: true };
const backup = 'waypost-2026-11-21T02-10-00-123Z-manual.tar.gz';

describe('a dropped file', () => {
  test.each([
    [['links.csv'], 'import'],
    [['LINKS.TSV'], 'import'],
    [['links.csv', 'more.csv'], 'files'],
    [['photo.png'], 'files'],
    [['export.json'], 'files'],
    [[backup], 'backups'],
    [['waypost-2026-11-21T02-10-00-123Z-before-restore (1).tar.gz'], 'backups'],
    [['site.tar.gz'], 'files'],
  ])('%j belongs to %s', (names, place) => expect(placeOf(named(...names), everything)).toBe(place));

  test('goes to the right page', () => {
    expect(placeOf(named('links.csv'), { ...everything, import: false })).toBe('files');
    expect(placeOf(named('links.csv'), { ...everything, files: false })).toBe('import');
    expect(placeOf(named('photo.png'), { ...everything, files: false })).toBeUndefined();
  });

  test('that is a backup is never published under a short link', () => {
    expect(placeOf(named(backup), { ...everything, backups: false })).toBeUndefined();
    expect(placeOf(named('photo.png', backup), everything)).toBeUndefined();
  });

  test.each([
    ['bookmark.url', '[InternetShortcut]\r\nURL=https://example.com/a?b=1\r\n', 'https://example.com/a?b=1'],
    [
      'Bookmark.webloc',
      '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "x" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist><dict><key>URL</key><string>https://example.com/?a=1&amp;b=2</string></dict></plist>',
      'https://example.com/?a=1&b=2',
    ],
    ['address.txt', ' https://example.com/long \n', 'https://example.com/long'],
    ['notes.txt', 'read.me', undefined],
    ['notes.txt', 'https://example.com and more', undefined],
    ['trap.url', '[InternetShortcut]\nURL=javascript:alert(1)\n', undefined],
    ['trap.url', '[InternetShortcut]\nURL=file:///etc/passwd\n', undefined],
    ['page.html', 'https://example.com/', undefined],
    ['long.txt', `https://example.com/${' '.repeat(20_000)}`, undefined],
  ])('%s with %j contains the address %s', async (name, text, address) =>
    expect(await addressInFile(new File([text], name))).toBe(address),
  );
});

/** A drag as a browser tells the element under the pointer of it. Returns the event after everybody heard it. */
function drag(type: string, files: File[], folders: string[] = [], at: Element = document.body): Event {
  const items = files.map(({ name, type }) => ({
    kind: 'file',
    type,
    webkitGetAsEntry: () => ({ isDirectory: folders.includes(name) }),
  }));
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.assign(event, {
    dataTransfer: { types: ['Files'], files, items, dropEffect: 'copy' },
    relatedTarget: null,
  });
  at.dispatchEvent(event);
  return event;
}

async function drop(files: File[], folders?: string[]): Promise<void> {
  for (const type of ['dragenter', 'dragover', 'drop'])
    expect(drag(type, files, folders).defaultPrevented).toBe(true);
  await settle();
}

const shownWords = () => document.querySelector('[data-drop-overlay]')?.textContent ?? '';
const photo = new File(['pixels'], 'photo.png');

describe('the window', () => {
  let page: Page;
  const isTaking = ref(true);
  let offered: string[];
  let toasts: ReturnType<typeof useToast>['toasts'];

  /** The frame as far as it is about files, with the pages in it. */
  const Frame = defineComponent({
    setup() {
      useDroppedFiles((address) => offered.push(address));
      return () => h(RouterView);
    },
  });
  const Root = defineComponent({
    setup() {
      toasts = useToast().toasts;
      return () => h(UApp, { portal: '#overlays' }, () => [isTaking.value && h(Frame), h(FileDrops)]);
    },
  });

  beforeEach(async () => {
    offered = [];
    localStorage.setItem('waypost:local:token', 'wp_token');
    page = await openPage(Root, '/not-a-page', {
      'GET /api/meta': meta(false),
      'GET /api/account': { body: { error: 0, data: account } },
      'POST /api/urls/import': 'unreachable',
    });
    toasts.value = [];
  });

  const shownPage = () => page.router.currentRoute.value.name;

  test('shows what a drop would do while files are held over the window', async () => {
    drag('dragenter', [photo]);
    await flushPromises();
    expect(shownWords()).toContain('A CSV file with links opens the import.');
    drag('dragleave', [photo]);
    await flushPromises();
    expect(shownWords()).toBe('');
  });

  test('stops showing it if the files leave from an element that has vanished', async () => {
    const row = document.createElement('div');
    document.body.append(row);
    drag('dragenter', [photo], [], row);
    await flushPromises();
    expect(shownWords()).toContain('A CSV file with links opens the import.');
    // As when a page replaces its rows while files are held over them: Chromium tells the row alone.
    row.remove();
    drag('dragleave', [photo], [], row);
    await flushPromises();
    expect(shownWords()).toBe('');
  });

  test('opens the import for a table of links, and the files page for anything else', async () => {
    await drop([new File(['Long URL\nhttps://example.com/a\n'], 'links.csv')]);
    await expect.poll(shownPage, { timeout: 10_000 }).toBe('import');
    await expect.poll(() => page.text(), { timeout: 10_000 }).toContain('links.csv');
    await page.router.push('/not-a-page');
    await settle();
    await drop([photo]);
    await expect.poll(shownPage, { timeout: 10_000 }).toBe('files');
    await expect.poll(() => page.text(), { timeout: 10_000 }).toContain('photo.png');
  });

  test('passes pasted addresses to the import, even if it is open already', async () => {
    for (const count of [2, 3]) {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.com/pasted\n'.repeat(count));
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
      await expect.poll(shownPage, { timeout: 10_000 }).toBe('import');
      await expect.poll(() => page.text(), { timeout: 10_000 }).toContain(`CSV file${count}`);
    }
  });

  test('offers to shorten the address in a file', async () => {
    await drop([new File(['[InternetShortcut]\nURL=https://example.com/a'], 'bookmark.url')]);
    await expect.poll(() => offered).toEqual(['https://example.com/a']);
    expect(shownPage()).toBe('not-found');
  });

  test('refuses folders, and says so', async () => {
    await drop([new File([], 'Holidays')], ['Holidays']);
    expect(shownPage()).toBe('not-found');
    expect(toasts.value.map(({ title }) => title)).toEqual([
      'Folders can’t be uploaded. Drop the files inside them.',
    ]);
  });

  test('does not affect an open dialog', async () => {
    const dialog = document.createElement('div');
    dialog.role = 'dialog';
    dialog.dataset.state = 'open';
    document.body.append(dialog);
    await drop([photo]);
    expect(shownWords()).toBe('');
    expect(shownPage()).toBe('not-found');
  });

  test('keeps a page with unsaved changes if the user wants that, and drops the files', async () => {
    const stay = page.router.beforeEach(() => false);
    await drop([photo]);
    stay();
    await page.router.push('/files');
    await settle();
    expect(shownPage()).toBe('files');
    expect(page.text()).not.toContain('photo.png');
  });

  test('is never replaced by a file, even if nothing accepts it', async () => {
    isTaking.value = false;
    await flushPromises();
    expect(drag('dragover', [photo]).defaultPrevented).toBe(true);
    expect(drag('drop', [photo]).defaultPrevented).toBe(true);
  });
});
