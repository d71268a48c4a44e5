import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IpcMainInvokeEvent, WebContents, WebFrameMain } from 'electron';
import type { Dialog, Frame, Page, Route } from 'playwright';
import { isPageAddress, originOfPage, toMainAddress, toPageAddress } from './addresses.ts';
import { canStartPages, closeCancelled } from './app.ts';
import { browser } from './browser.ts';
import { invoke } from './ipc-main.ts';
import { pageScript } from './page-script.ts';
import { answerByApp } from './protocol.ts';
import { allowsDownload, applyPermissions } from './session.ts';
import { settings } from './settings.ts';
import { tell } from './test-channel.ts';

export type StandInContents = Pick<
  WebContents,
  'isDestroyed' | 'mainFrame' | 'on' | 'reload' | 'send' | 'setWindowOpenHandler'
> & {
  /** The page, once Chromium has made it. */
  opened: Promise<Page>;
  load(address: string): Promise<void>;
  /** Lets the page close if it agrees: false if it stays. */
  unload(): Promise<boolean>;
  /** Closes the page without asking it. */
  discard(): Promise<void>;
  /** Resolves when a refused attempt to close the page is over. */
  staying: Promise<void>;
};

/** The number of processes started for pages. */
let processes = 0;

/** A page of the real Chromium, guarded and served by the app's handlers, like in Electron. */
export function webContents(
  preload: string,
  args: string[],
  size: { width: number; height: number },
): StandInContents {
  const events = new EventEmitter();
  /** Navigations started by the app itself; the page's own ones are checked first. */
  const expected = new Set<string>();
  let page: Page | undefined;
  let script: { text: string; dispose(): Promise<void> } | undefined;
  let hasProcess = false;
  let onStay = () => {};
  let allowsWindow: Parameters<WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  // The app only checks a frame's identity and URL; a single object represents the main frame.
  const mainFrame = {
    parent: null,
    get url() {
      return page ? toMainAddress(page.url()) : '';
    },
  } as WebFrameMain;

  const contents: StandInContents = {
    mainFrame,
    staying: Promise.resolve(),
    opened: open(),
    on: events.on.bind(events) as unknown as WebContents['on'],
    isDestroyed: () => page?.isClosed() ?? false,
    setWindowOpenHandler(handler) {
      allowsWindow = handler;
    },
    send(channel, ...values) {
      if (page?.isClosed()) throw new TypeError('Object has been destroyed');
      const json = JSON.stringify(structuredClone(values));
      page
        ?.evaluate(([name, text]) => (window as unknown as PageEnd).__hearFromMain?.(name, text), [
          channel,
          json,
        ] as const)
        .catch(() => {
          // The page is closing or reloading; Electron drops the message too.
        });
    },
    async load(address) {
      await contents.opened;
      if (!comesUp()) throw new Error('ERR_FAILED (-2) loading the page');
      await navigate(toPageAddress(address));
    },
    async unload() {
      const leaving = await contents.opened;
      if (leaving.isClosed()) return true;
      if (!hasProcess) {
        await leaving.close();
        return true;
      }
      const outcome = new Promise<boolean>((resolve) => {
        leaving.once('close', () => resolve(true));
        onStay = () => resolve(false);
      });
      await leaving.close({ runBeforeUnload: true });
      return outcome;
    },
    async discard() {
      await (await contents.opened).close();
    },
    reload() {
      if (comesUp() && page) void navigate(page.url()).catch(() => {});
    },
  };
  return contents;

  /** Starts the page's process, which may die doing so. */
  function comesUp(): boolean {
    if (hasProcess) return true;
    processes += 1;
    hasProcess = canStartPages() && processes > (settings.deadPages ?? 0);
    if (!hasProcess) events.emit('render-process-gone', {}, { reason: 'launch-failed', exitCode: 133 });
    return hasProcess;
  }

  async function open(): Promise<Page> {
    const made = await browser().newPage();
    await made.setViewportSize(size);
    await made.exposeBinding('__invokeInMain', ({ frame }, channel: string, json: string) =>
      invoke(eventFrom(frame), channel, JSON.parse(json, withBytes)).then((answer) => JSON.stringify(answer)),
    );
    await made.exposeBinding('__openContextMenu', (_source, params: object) =>
      events.emit('context-menu', {}, params),
    );
    // Sent on the channel of the calls, so that it precedes the first of them, as in Electron, where a page commits its
    // document and calls on one pipe.
    await made.exposeBinding('__beginDocument', (_source, address: string) =>
      events.emit('did-navigate', {}, toMainAddress(address), 200, 'OK'),
    );
    const line = await made.context().newCDPSession(made);
    await applyPermissions(line, originOfPage);
    page = made;
    await readPreload();
    await made.route('**/*', route);
    made.on('popup', (popup) => void onPopup(popup));
    made.on('dialog', (dialog) => {
      // Electron asks nobody whether a page may go that does not want to: it stays, unless the app says otherwise.
      let mustGo = false;
      const event = {
        preventDefault() {
          mustGo = true;
        },
      };
      if (dialog.type() === 'beforeunload') events.emit('will-prevent-unload', event);
      if (mustGo) void dialog.accept();
      else {
        // The app is told before the page is: what it asks for from now on is a new attempt for it, and none for the
        // page.
        if (dialog.type() === 'beforeunload') closeCancelled();
        contents.staying = stay(dialog);
      }
    });
    made.on('crash', () => events.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }));
    made.on('download', (download) => {
      const address = toMainAddress(download.url());
      const denied = !allowsDownload(address);
      if (denied) void download.cancel();
      tell({ type: 'download', address, denied });
    });
    return made;
  }

  /**
   * Whoever hears that the page stays may close it again at once, and Chromium does not take that for a second attempt
   * while the first is not over: it asks the page nothing then, and never closes it.
   */
  async function stay(dialog: Dialog): Promise<void> {
    try {
      await dialog.dismiss();
      // Messages that the page sends after its reply arrive after it.
      await page?.evaluate(() => {});
    } catch {
      // It has gone all the same.
    }
    onStay();
  }

  /** Every document gets the current version of the script. */
  async function readPreload(): Promise<void> {
    const text = readFileSync(preload, 'utf8');
    await script?.dispose();
    const added = await page?.addInitScript({ content: pageScript(text, args) });
    script = { text, dispose: async () => added?.dispose() };
  }

  async function navigate(address: string): Promise<void> {
    expected.add(address);
    await page?.goto(address, { waitUntil: 'domcontentloaded' });
  }

  function eventFrom(frame: Frame): Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'> {
    const isMain = frame === page?.mainFrame();
    const other = { parent: mainFrame, url: toMainAddress(frame.url()) } as WebFrameMain;
    return { sender: contents as unknown as WebContents, senderFrame: isMain ? mainFrame : other };
  }

  async function route(asked: Route): Promise<void> {
    const request = asked.request();
    const address = request.url();
    if (request.isNavigationRequest() && !mayNavigate(request.frame(), address))
      return asked.abort('aborted');
    if (request.isNavigationRequest() && readFileSync(preload, 'utf8') !== script?.text) {
      // Chromium does not accept another script during a navigation, so this restarts it.
      await asked.abort('aborted');
      await readPreload();
      await navigate(address);
      return;
    }
    if (!isPageAddress(address)) {
      tell({ type: 'requested', address });
      return asked.abort('addressunreachable');
    }
    const response = await answerByApp(
      new Request(toMainAddress(address), { method: request.method(), headers: request.headers() }),
      // A failing handler is a failing request.
    ).catch(() => Response.error());
    if (response.type === 'error') return asked.abort('failed');
    await asked.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }

  function mayNavigate(frame: Frame, address: string): boolean {
    const isMainFrame = frame === page?.mainFrame();
    let isAllowed = true;
    const details = {
      url: toMainAddress(address),
      isMainFrame,
      isSameDocument: false,
      preventDefault() {
        isAllowed = false;
      },
    };
    // In this order (docs, web-contents, "Document Navigations"): a navigation has started before anyone is asked.
    events.emit('did-start-navigation', details);
    if (isMainFrame && expected.delete(address)) return true;
    events.emit('will-frame-navigate', details);
    if (isMainFrame && isAllowed) events.emit('will-navigate', details);
    return isAllowed;
  }

  /** Chromium has already opened it when Playwright is notified; if denied, it closes before anyone can use it. */
  async function onPopup(popup: Page): Promise<void> {
    const address = toMainAddress(popup.url());
    tell({ type: 'popup', address });
    // The handler only checks the URL.
    const details = { url: address } as Parameters<typeof allowsWindow>[0];
    if (allowsWindow(details).action === 'deny') await popup.close();
  }
}

interface PageEnd {
  __hearFromMain?: (channel: string, json: string) => void;
}

/** Decodes bytes sent by the page from their text form. */
function withBytes(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && '$bytes' in value;
  return isBytes ? new Uint8Array(Buffer.from(String(value.$bytes), 'base64')) : value;
}
