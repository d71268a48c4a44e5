/** What an account has, by the names that the live stream gives. */
export type ChangedResource =
  | 'audit'
  | 'bio'
  | 'campaigns'
  | 'channels'
  | 'domains'
  | 'files'
  | 'links'
  | 'overlays'
  | 'pixels'
  | 'qr'
  | 'splash'
  | 'webhooks';

/** Something that changed, told after its commit. */
export interface Change {
  /** Whose it is. */
  accountId: number;
  resource: ChangedResource;
  /** Empty where it may be any of them. */
  ids: number[];
}

export interface Changes {
  /** Tells every listener, in the order in which they came. Never throws. */
  publish(change: Change): void;
  subscribe(listener: (change: Change) => void): void;
}

/**
 * The feed between whoever changes things and whoever shows or forwards them. `onError` is told of a listener that throws:
 * what it was told of is committed, so neither the change nor the other listeners may fail by it.
 */
export function changeFeed(onError: (error: unknown) => void): Changes {
  const listeners: ((change: Change) => void)[] = [];
  return {
    publish(change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
