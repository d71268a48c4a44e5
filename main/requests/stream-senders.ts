import type { Fetcher } from './fetcher.ts';
import type { StreamSender } from './uploads.ts';

/** Sends a stream with Node's `fetch`: the length is sent up front, and chunks are read with backpressure. */
export function fetchSender(fetcher: Fetcher): StreamSender {
  return (address, init) =>
    fetcher(address, {
      ...init,
      method: 'POST',
      // A redirect would forward the file to another address.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      // The Fetch standard requires this for streaming request bodies.
      duplex: 'half',
    } as RequestInit);
}
