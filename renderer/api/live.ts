import { getCurrentScope, onScopeDispose, watch } from 'vue';
import type { Unsubscribe } from '../../preload/contract.ts';
import { type ServerEvent, serverEvent } from '../../server/contract/events.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { Destination } from './destination.ts';
import { useInstanceStore } from './instance.ts';
import type { Transport } from './transport.ts';

type Handler = (event: ServerEvent) => void;

const handlers = new Set<Handler>();
let transport: Transport | undefined;
let close: Unsubscribe | undefined;
let tellRefused: ((from: Destination) => void) | undefined;

/** Done once at the start, beside `installClient`. `onRefused` is told when the server refuses a stream. */
export function installLiveEvents(over: Transport, onRefused?: (from: Destination) => void): void {
  transport = over;
  tellRefused = onRefused;
}

/**
 * Calls `handler` for every event of the live stream of the account that acts while the calling component lives.
 * All handlers share one connection: it opens with the first and closes with the last.
 */
export function useLiveEvents(handler: Handler): void {
  const store = useInstanceStore();
  handlers.add(handler);
  if (handlers.size === 1) open(store.destination);
  const stopWatching = watch(
    () => store.destination,
    (destination) => open(destination),
  );
  if (getCurrentScope()) {
    onScopeDispose(() => {
      stopWatching();
      handlers.delete(handler);
      if (handlers.size === 0) open(undefined);
    });
  }
}

let opened: Destination | undefined;

function open(from: Destination | undefined): void {
  if (from?.instanceId === opened?.instanceId && from?.account === opened?.account && close) return;
  close?.();
  close = undefined;
  opened = from;
  // A server that has no stream would be asked for it again and again.
  if (from === undefined || !transport || !useInstanceStore().can('events')) return;
  const tell = (document: unknown) => {
    const event = safeParse(serverEvent, document);
    // A newer server may tell of things that this page knows nothing of.
    if (event.success) for (const handler of handlers) handler(event.data);
  };
  close = transport.subscribe(from.instanceId, tell, from.account, () => tellRefused?.(from));
}
