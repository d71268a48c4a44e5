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

/** Called once at startup, alongside `installClient`. `onRefused` is called when the server rejects a stream. */
export function installLiveEvents(over: Transport, onRefused?: (from: Destination) => void): void {
  transport = over;
  tellRefused = onRefused;
}

/**
 * Calls `handler` for every live event of the active account, for the lifetime of the calling component. All handlers
 * share one connection, which opens with the first and closes with the last.
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
  // Servers without a live stream would be polled in vain.
  if (from === undefined || !transport || !useInstanceStore().can('events')) return;
  const tell = (document: unknown) => {
    const event = safeParse(serverEvent, document);
    // Newer servers may send events that this client does not know.
    if (event.success) for (const handler of handlers) handler(event.data);
  };
  close = transport.subscribe(from.instanceId, tell, from.account, () => tellRefused?.(from));
}
