import type { Fetcher } from './fetcher.ts';
import type { StreamSender } from './uploads.ts';

/** Sends a stream by `fetch`, as Node has it: the length is told beforehand, and a part is taken when there is room. */
export function fetchSender(fetcher: Fetcher): StreamSender {
  return (address, init) =>
    fetcher(address, {
      ...init,
      method: 'POST',
      // A redirect would carry the file, and where it leads, out of our hands.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      // A request whose body is a stream has to say that it answers after the body (Fetch standard).
      duplex: 'half',
    } as RequestInit);
}
