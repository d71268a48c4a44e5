import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';

/** A release that is newer than this app. `address` is where a person can get it. */
export interface Update {
  readonly version: string;
  readonly address: string;
}

const release = z.object({
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  url: z
    .string()
    .max(2_000)
    .regex(/^https:\/\//),
});

/** Whether version `a` comes after `b`; both are three numbers with dots. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/, 3).map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Asks the feed of this build, a small JSON document `{version, url}`, whether there is a newer version. The request
 * says nothing of the person or the installation. Undefined when there is none, or no answer that can be understood.
 */
export async function newerRelease(
  feed: string,
  current: string,
  fetcher: Fetcher,
): Promise<Update | undefined> {
  try {
    const response = await fetcher(feed, {
      headers: { accept: 'application/json' },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(15_000),
    });
    if (!response.ok) return undefined;
    const { data } = safeParse(release, JSON.parse((await readBounded(response, 65_536)).toString('utf8')));
    return data && isNewer(data.version, current) ? { version: data.version, address: data.url } : undefined;
  } catch {
    // Offline, or no feed any more: it is asked again tomorrow.
    return undefined;
  }
}
