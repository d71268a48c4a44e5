import { getCurrentScope, onScopeDispose, watch } from 'vue';
import type { Unsubscribe } from '../../preload/contract.ts';
import { type ServerEvent, serverEvent } from '../../server/contract/events.ts';
import { useInstanceStore } from './instance.ts';
import type { Transport } from './transport.ts';

type Handler = (event: ServerEvent) => void;

const handlers = new Set<Handler>();
let transport: Transport | undefined;
let close: Unsubscribe | undefined;

/** Done once at the start, beside `installClient`. */
export function installLiveEvents(over: Transport): void {
  transport = over;
}

/**
 * Calls `handler` for every event of the current instance's live stream while the calling component lives.
 * All handlers share one connection: it opens with the first and closes with the last.
 */
export function useLiveEvents(handler: Handler): void {
  const store = useInstanceStore();
  handlers.add(handler);
  if (handlers.size === 1) open(store.currentId);
  const stopWatching = watch(
    () => store.currentId,
    (id) => open(id),
  );
  if (getCurrentScope()) {
    onScopeDispose(() => {
      stopWatching();
      handlers.delete(handler);
      if (handlers.size === 0) open(undefined);
    });
  }
}

let openId: string | undefined;

function open(instanceId: string | undefined): void {
  if (instanceId === openId && close) return;
  close?.();
  close = undefined;
  openId = instanceId;
  // A server that has no stream would be asked for it again and again.
  if (instanceId === undefined || !transport || !useInstanceStore().can('events')) return;
  close = transport.subscribe(instanceId, (document) => {
    const event = serverEvent.safeParse(document);
    // A newer server may tell of things that this page knows nothing of.
    if (event.success) for (const handler of handlers) handler(event.data);
  });
}
