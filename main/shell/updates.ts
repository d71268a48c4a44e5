import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import { isNewer, isPreRelease, isVersion } from './version-order.ts';

/** A release newer than this app. `address` is its download page. */
export interface Update {
  readonly version: string;
  readonly address: string;
}

const release = z.object({
  // Validated because it is displayed to the user.
  version: z.string().max(40).refine(isVersion),
  url: z.string().max(2_000).refine(isPage),
});

/** The result of the last check if it found no update; absent before the first check and while checks are disabled. */
type UpdateCheck = 'latest' | 'failed' | undefined;

interface UpdateWatchOptions {
  /** The URL of this build's release feed; if undefined, the app never checks for updates. */
  feed: string | undefined;
  /** This app's version. */
  current: string;
  fetcher: Fetcher;
  /** Whether the user has enabled update checks. */
  isWanted: () => boolean;
  /** Called once per new version. */
  onNew: (update: Update) => void;
}

/** Checks for new releases and remembers the latest one found. */
export interface UpdateWatch {
  found(): Update | undefined;
  check(): UpdateCheck;
  /** Queries the feed. If there is no valid response, the previous result stays. */
  look(): Promise<void>;
}

export function updateWatch({ feed, current, fetcher, isWanted, onNew }: UpdateWatchOptions): UpdateWatch {
  let update: Update | undefined;
  let check: UpdateCheck;

  /** Pre-releases are only offered to users of a pre-release. */
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
 * Fetches the newest version from a feed, a small JSON document `{version, url}`. The request contains nothing about
 * the user or the installation. Undefined if there is no valid response.
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
    // Offline, or the feed is gone: try again tomorrow.
    return undefined;
  }
}

/** Whether the address can be opened: https, without credentials that could disguise the host. */
function isPage(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}
