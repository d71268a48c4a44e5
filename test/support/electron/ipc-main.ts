import type { IpcMain, IpcMainInvokeEvent } from 'electron';

type Handler = Parameters<IpcMain['handle']>[1];

const handlers = new Map<string, Handler>();

export const ipcMain = {
  handle(channel, listener) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, listener);
  },
} satisfies Pick<IpcMain, 'handle'>;

/** Calls the app's handlers, and replies like Electron: clones in both directions, errors as text. */
export async function invoke(
  event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  channel: string,
  args: unknown[],
): Promise<{ value: unknown } | { error: string }> {
  const handler = handlers.get(channel);
  if (!handler) return { error: `Error: No handler registered for '${channel}'` };
  try {
    // The handlers use the sender and nothing else of the event.
    return { value: structuredClone(await handler(event as IpcMainInvokeEvent, ...args)) };
  } catch (error) {
    return { error: String(error) };
  }
}
