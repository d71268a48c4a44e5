import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { z } from 'zod';
import type { DesktopAnswer, DesktopCalls, DesktopPushes } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { Refused } from '../requests/refused.ts';
import type { LogFile } from '../server/log-file.ts';
import { desktopChoices } from '../storage/preferences.ts';

/** What each call does. Throwing Refused tells the page why; any other error tells it nothing. */
export type CallHandlers = {
  [Channel in keyof DesktopCalls]: (
    ...args: DesktopCalls[Channel]['arguments']
  ) => DesktopCalls[Channel]['reply'] | Promise<DesktopCalls[Channel]['reply']>;
};

export type Push = <Channel extends keyof DesktopPushes>(
  channel: Channel,
  ...args: DesktopPushes[Channel]
) => void;

interface CallsOptions {
  handlers: CallHandlers;
  /** The page of our window; undefined while there is none. */
  page: () => WebContents | undefined;
  isPageAddress: (address: string) => boolean;
  log: LogFile;
}

const id = z.string().min(1).max(100);
/** A team; absent for the person's own account. */
const account = z.number().int().positive().optional();
/** What may come in one call, in bytes: a part of a file, a picture. */
const largestPart = 1024 * 1024;
const largestPicture = 16 * 1024 * 1024;
const bytesUpTo = (most: number) => z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= most);
const apiRequest = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: z.string().max(16_384),
  body: z.unknown().optional(),
  account,
});

const instanceChoice = z.strictObject({
  name: z.string().trim().min(1).max(100),
  color: z.string().regex(/^[a-z]{1,30}$/),
  origin: z.string().max(300),
  allowsPlain: z.boolean().optional(),
});

/** The whole surface that a page can touch, each channel with the form of its arguments (T-32). */
const callArguments = {
  'instances:list': z.tuple([]),
  'instances:current': z.tuple([]),
  'instances:select': z.tuple([id]),
  'instances:add': z.tuple([instanceChoice]),
  'instances:edit': z.tuple([id, instanceChoice]),
  'instances:remove': z.tuple([id]),
  'instances:keep-key': z.tuple([id, z.string().regex(/^[\x21-\x7e]{1,4096}$/)]),
  'instances:sign-in': z.tuple([z.string().max(100)]),
  'instances:forget-key': z.tuple([id]),
  'instances:certificate': z.tuple([id]),
  'instances:accept-certificate': z.tuple([id, z.string().regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)]),
  'api:request': z.tuple([id, id, apiRequest]),
  'api:cancel': z.tuple([id]),
  'upload:begin': z.tuple([id, id, z.string().max(16_384), z.number().int().min(0), account]),
  'upload:part': z.tuple([id, bytesUpTo(largestPart)]),
  'upload:end': z.tuple([id]),
  'upload:cancel': z.tuple([id]),
  'events:subscribe': z.tuple([id, id, account]),
  'events:unsubscribe': z.tuple([id]),
  'profile:suggest': z.tuple([]),
  'external:open': z.tuple([z.string().max(8_192)]),
  'clipboard:copy': z.tuple([z.string().max(1_000_000)]),
  'clipboard:copy-picture': z.tuple([bytesUpTo(largestPicture)]),
  // A person may want more than can be saved, and is told so there (save-file.ts).
  'file:save': z.tuple([z.string().max(1_000), z.instanceof(Uint8Array)]),
  'server:state': z.tuple([]),
  'server:restart': z.tuple([]),
  'server:show-log': z.tuple([]),
  'app:state': z.tuple([]),
  'app:update': z.tuple([z.strictObject(desktopChoices.partial().shape)]),
  'offers:take': z.tuple([]),
} satisfies { [Channel in keyof DesktopCalls]: z.ZodType<DesktopCalls[Channel]['arguments']> };

/** Answers the page's calls, and only the page's: the main frame of our window while it shows our own page. */
export function answerCalls({ handlers, page, isPageAddress, log }: CallsOptions): void {
  for (const [channel, schema] of Object.entries(callArguments)) {
    const handle = handlers[channel as keyof DesktopCalls] as (...args: unknown[]) => unknown;
    ipcMain.handle(channel, async (event, ...args: unknown[]): Promise<DesktopAnswer<unknown>> => {
      if (!isFromPage(event))
        return refuse('a call that did not come from the page', 'This page is not allowed to call the app.');
      const fitting = safeParse<z.ZodType<unknown[]>>(schema, args).data;
      if (!fitting)
        return refuse('arguments of the wrong form', `${channel} was called with wrong arguments.`);
      try {
        return { ok: true, value: await handle(...fitting) };
      } catch (error) {
        if (error instanceof Refused) return refuse('a call', error.message);
        log.note('a call failed', { channel, stack: error instanceof Error ? `${error.stack}` : 'no error' });
        return { ok: false, message: 'Something went wrong. See the log file.' };
      }

      function refuse(what: string, message: string): DesktopAnswer<never> {
        log.note(`refused: ${what}`, { channel });
        return { ok: false, message };
      }
    });
  }

  function isFromPage(event: IpcMainInvokeEvent): boolean {
    const frame = event.senderFrame;
    const contents = page();
    if (!frame || !contents || event.sender !== contents) return false;
    return frame === contents.mainFrame && isPageAddress(frame.url);
  }
}

/** Tells the page something; a page that is not there misses it and asks when it comes. */
export function pushTo(page: () => WebContents | undefined): Push {
  return (channel, ...args) => {
    const contents = page();
    if (contents && !contents.isDestroyed()) contents.send(channel, ...args);
  };
}
