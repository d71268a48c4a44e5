/** Notifies listeners that the publisher does not know. */
export interface Feed<News> {
  /** Calls every listener, in the order of subscription. Never throws. */
  publish(news: News): void;
  subscribe(listener: (news: News) => void): void;
}

/**
 * A publish/subscribe feed. Errors of listeners are passed to `onError`: the event has already happened, so they must
 * not affect the publisher or other listeners.
 */
export function feed<News>(onError: (error: unknown) => void): Feed<News> {
  const listeners: ((news: News) => void)[] = [];
  return {
    publish(news) {
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
