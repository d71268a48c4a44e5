import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { z } from 'zod';
import type { DesktopAnswer, DesktopCalls, DesktopPushes } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { Refused } from '../requests/refused.ts';
import type { LogFile } from '../server/log-file.ts';
import { desktopChoices } from '../storage/preferences.ts';

/**
 * The implementation of each call. The message of a thrown Refused is sent to the page; other errors are not disclosed.
 */
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
  /** The page of our window; undefined if there is none. */
  page: () => WebContents | undefined;
  isPageAddress: (address: string) => boolean;
  log: LogFile;
}

const id = z.string().min(1).max(100);
/** A team's id; absent for the user's own account. */
const account = z.number().int().positive().optional();
/** Limits of a single call: a chunk of a file, an image. Bytes. */
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
  allowsInsecure: z.boolean().optional(),
});

/** Every channel the page can call, with the schema of its arguments (T-32). */
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
  // Not limited here: save-file.ts rejects a file that is too large with a message.
  'file:save': z.tuple([z.string().max(1_000), z.instanceof(Uint8Array)]),
  'server:state': z.tuple([]),
  'server:restart': z.tuple([]),
  'server:show-log': z.tuple([]),
  'app:state': z.tuple([]),
  'app:update': z.tuple([z.strictObject(desktopChoices.partial().shape)]),
  'offers:take': z.tuple([]),
} satisfies { [Channel in keyof DesktopCalls]: z.ZodType<DesktopCalls[Channel]['arguments']> };

/** Handles calls, but only from the main frame of our window while it shows our own page. */
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

/**
 * Creates a function that sends events to the page. If there is no page, the event is dropped; a new page queries the
 * state.
 */
export function pushTo(page: () => WebContents | undefined): Push {
  return (channel, ...args) => {
    const contents = page();
    if (contents && !contents.isDestroyed()) contents.send(channel, ...args);
  };
}
