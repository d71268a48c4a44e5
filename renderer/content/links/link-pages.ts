import { useQueryCache } from '@pinia/colada';
import { effectScope } from 'vue';
import type { LocationQuery } from 'vue-router';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { listLinks } from '../../../server/contract/links.ts';
import { type Call, call, callAt } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';
import { linkChangeCount } from './link-changes.ts';
import { defaultOrder, filterOfView, type LinkView, viewOfQuery } from './link-view.ts';
import type { KeptRows, RowPage } from './paged-rows.ts';
import { useUsualOrder } from './use-usual-order.ts';

/** A link in the list, including its markers. */
export type ListedLink = ReplyOf<typeof listLinks>['data']['urls'][number];

/** A view of an account as text; the same for equal views. */
export function viewText(view: LinkView): string {
  return JSON.stringify([useInstanceStore().scope, filterOfView(view), view.order]);
}

/** Loads a page of the links in a view; pages are numbered from 1. Throws ApiFailure. */
export async function fetchLinks(
  view: LinkView,
  page: number,
  { signal, client = call }: { signal?: AbortSignal; client?: Call } = {},
): Promise<RowPage<ListedLink>> {
  const query = {
    ...filterOfView(view),
    order: view.order,
    page,
    limit: pageSize,
    traits: '1' as const,
  };
  const { data } = await client(listLinks, { query, ...(signal && { signal }) });
  return { total: data.result, rows: data.urls };
}

interface KeptList {
  /** The view as text. */
  readonly view: string;
  readonly rows: KeptRows<ListedLink>;
  readonly changes: number;
}

/**
 * The rows that the list had when it was last left, so that they are shown at once on return. Kept with the cached
 * responses, and forgotten with them when the account signs out or is switched.
 */
export function useListMemory() {
  const store = useInstanceStore();
  const queries = useQueryCache();
  const { account } = store;
  const key = instanceQueryKey(['links', 'list']);
  return {
    /** Undefined if the list had another view, or if links have changed since: some of its rows may be gone. */
    keptFor(view: string): KeptRows<ListedLink> | undefined {
      const kept = queries.getQueryData<KeptList>(key);
      const isInvalidated = queries.get(key)?.when === 0;
      if (!kept || isInvalidated || kept.view !== view || kept.changes !== linkChangeCount())
        return undefined;
      return kept.rows;
    },
    keep(view: string, rows: KeptRows<ListedLink> | undefined): void {
      // Signing out has forgotten everything before its page is left.
      if (!rows || !account || store.account?.id !== account.id) return;
      queries.setQueryData<KeptList>(key, { view, rows, changes: linkChangeCount() });
    },
  };
}

/** How long after its arrival a page that was loaded ahead is shown without asking again. Milliseconds. */
const aheadFor = 3_000;

interface Ahead {
  readonly key: string;
  readonly answer: Promise<RowPage<ListedLink>>;
  /** What has arrived, and when. */
  rows?: KeptRows<ListedLink>;
  since?: number;
}

let latest: Ahead | undefined;

/** Shows and decides nothing: a refusal, a pause or a lost connection concerns the page only once somebody opens it. */
function silentClient(): Call {
  return callAt(useInstanceStore().destination, ({ cancel }) => {
    queueMicrotask(cancel);
    return () => {};
  });
}

/**
 * Starts loading what the list shows first, before its page is open: while the pointer is on a link to it, or while the
 * frame around it is drawn.
 */
export function fetchLinksAhead(query: LocationQuery): void {
  // The order is read once; nothing has to follow it.
  const scope = effectScope(true);
  const view = viewOfQuery(query, scope.run(useUsualOrder)?.value ?? defaultOrder);
  scope.stop();
  const text = viewText(view);
  const key = aheadKey(text);
  if (useListMemory().keptFor(text) || (latest?.key === key && isFresh(latest))) return;
  const ahead: Ahead = { key, answer: fetchLinks(view, 1, { client: silentClient() }) };
  latest = ahead;
  ahead.answer.then(
    ({ total, rows }) => {
      // Without an entry for each row that is not loaded: there may be a million.
      const all = rows.slice();
      all.length = total;
      ahead.rows = { total, rows: all, pages: [1] };
      ahead.since = Date.now();
    },
    () => {
      // The page asks again, and shows what is wrong.
      if (latest === ahead) latest = undefined;
    },
  );
}

/** The first page of a view, if it was loaded ahead just now; once only. */
export function takeAhead(text: string): Pick<Ahead, 'answer' | 'rows'> | undefined {
  const found = latest;
  latest = undefined;
  return found?.key === aheadKey(text) && isFresh(found) ? found : undefined;
}

/** Includes the person, and what changed: the answer to another one's request, or an outdated one, is not used. */
function aheadKey(text: string): string {
  return JSON.stringify([text, useInstanceStore().account?.id, linkChangeCount()]);
}

function isFresh({ since }: Ahead): boolean {
  return since === undefined || Date.now() - since < aheadFor;
}
