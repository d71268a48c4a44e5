import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import { isNewer, isPreRelease, isVersion } from './version-order.ts';

/** A release that is newer than this app. `address` is where a person can get it. */
export interface Update {
  readonly version: string;
  readonly address: string;
}

const release = z.object({
  // It stands in a sentence for the person, which is nobody else's to write.
  version: z.string().max(40).refine(isVersion),
  url: z.string().max(2_000).refine(isPage),
});

/** What the last look came to where it found nothing newer; absent before the first, and while none is wanted. */
type UpdateCheck = 'latest' | 'failed' | undefined;

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
  check(): UpdateCheck;
  /** Asks the feed. What it said before stands while it gives no answer that can be understood. */
  look(): Promise<void>;
}

export function updateWatch({ feed, current, fetcher, isWanted, onNew }: UpdateWatchOptions): UpdateWatch {
  let update: Update | undefined;
  let check: UpdateCheck;

  /** A pre-release is for those who run one: it was not asked for by anybody else. */
  function isForThisApp({ version }: Update): boolean {
    return isNewer(version, current) && (isPreRelease(current) || !isPreRelease(version));
  }

  return {
    found: () => (isWanted() ? update : undefined),
    check: () => (isWanted() && !update ? check : undefined),
    async look() {
      if (feed === undefined || !isWanted()) return;
      const newest = await newestRelease(feed, fetcher);
      check = newest ? 'latest' : 'failed';
      if (!newest) return;
      const before = update?.version;
      update = isForThisApp(newest) ? newest : undefined;
      if (update && update.version !== before) onNew(update);
    },
  };
}

/**
 * Asks a feed, a small JSON document `{version, url}`, for the newest version. The request says nothing of the person
 * or the installation. Undefined when there is no answer that can be understood.
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
