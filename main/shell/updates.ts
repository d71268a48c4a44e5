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
  url: z.string().max(2_000).refine(isPage),
});

/** Whether version `a` comes after `b`; both are three numbers with dots. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/, 3).map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

interface UpdateWatchOptions {
  /** The address of this build's list of releases; undefined where there is none, and nothing is ever asked then. */
  feed: string | undefined;
  /** The version of this app. */
  current: string;
  fetcher: Fetcher;
  /** Whether the person wants newer versions to be looked for. */
  isWanted: () => boolean;
  /** Called once for each newer version. */
  onNew: (update: Update) => void;
}

/** Knows of the newest release, as far as the feed has told of one. */
export interface UpdateWatch {
  found(): Update | undefined;
  /** Asks the feed. What it said before stands while it gives no answer that can be understood. */
  look(): Promise<void>;
}

export function updateWatch({ feed, current, fetcher, isWanted, onNew }: UpdateWatchOptions): UpdateWatch {
  let update: Update | undefined;
  return {
    found: () => (isWanted() ? update : undefined),
    async look() {
      if (feed === undefined || !isWanted()) return;
      const newest = await newestRelease(feed, fetcher);
      if (!newest) return;
      const before = update?.version;
      update = isNewer(newest.version, current) ? newest : undefined;
      if (update && update.version !== before) onNew(update);
    },
  };
}

/**
 * Asks a feed, a small JSON document `{version, url}`, for the newest version. The request says nothing of the person or
 * the installation. Undefined when there is no answer that can be understood.
 */
async function newestRelease(feed: string, fetcher: Fetcher): Promise<Update | undefined> {
  try {
    const response = await fetcher(feed, {
      headers: { accept: 'application/json' },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(15_000),
    });
    if (!response.ok) return undefined;
    const { data } = safeParse(release, JSON.parse((await readBounded(response, 65_536)).toString('utf8')));
    return data && { version: data.version, address: data.url };
  } catch {
    // Offline, or no feed any more: it is asked again tomorrow.
    return undefined;
  }
}

/** Whether a person can be sent there: an encrypted page, whose host is not hidden behind a name in front of it. */
function isPage(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}
