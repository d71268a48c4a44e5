/** A way to tell whoever wants to know, without knowing them. */
export interface Feed<News> {
  /** Tells every listener, in the order in which they came. Never throws. */
  publish(news: News): void;
  subscribe(listener: (news: News) => void): void;
}

/**
 * A feed between whoever does something and whoever shows, forwards or forgets it. `onError` is told of a listener that
 * throws: what it was told of has happened, so neither that nor the other listeners may fail by it.
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
