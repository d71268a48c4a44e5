import type { Unsubscribe } from '../../preload/contract.ts';
import type { LiveEvents } from './live-events.ts';
import { Refused } from './refused.ts';

/** The page's live stream subscriptions, by the ids that the preload script assigned. */
export interface Subscriptions {
  /** Throws Refused if the page exceeds the maximum of open subscriptions. */
  open(name: string, instanceId: string, account?: number): void;
  close(name: string): void;
  closeAll(): void;
}

const MAX_OPEN = 20;

export function subscriptionsOf(
  events: LiveEvents,
  tell: (name: string, document: unknown) => void,
  tellRefused: (name: string) => void,
): Subscriptions {
  const open = new Map<string, Unsubscribe>();
  return {
    open(name, instanceId, account) {
      if (open.size >= MAX_OPEN) throw new Refused('Too many live streams are open.');
      open.get(name)?.();
      open.set(
        name,
        events.follow(
          instanceId,
          (document) => tell(name, document),
          account,
          () => tellRefused(name),
        ),
      );
    },
    close(name) {
      open.get(name)?.();
      open.delete(name);
    },
    closeAll() {
      for (const stop of open.values()) stop();
      open.clear();
    },
  };
}
