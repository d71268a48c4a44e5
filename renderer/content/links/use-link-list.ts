import { useQueryCache } from '@pinia/colada';
import { useDebounceFn, useThrottleFn } from '@vueuse/core';
import { onMounted, onScopeDispose, type Ref, watch } from 'vue';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { listLinks } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useConnectionStore } from '../../api/connection.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { useLiveEvents } from '../../api/live.ts';
import { pageSize } from '../../api/page-size.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { linkChangeCount, onLinkChange } from './link-changes.ts';
import { filterOfView, type LinkView } from './link-view.ts';
import { type KeptRows, pagedRows } from './paged-rows.ts';

/** A link in this list, including its markers. */
export type ListedLink = ReplyOf<typeof listLinks>['data']['urls'][number];

/** Debounce and maximum delay for live changes before reloading, in milliseconds: an import causes thousands. */
const gather = { least: 300, most: 1500 };

/**
 * Minimum interval of reloads caused by clicks, in milliseconds: they affect more than the count (unique visitors,
 * click limits).
 */
const clickPause = 5000;

/**
 * The links of a view, loaded page by page and updated by the live stream. `refresh` reloads the visible rows; the
 * table provides it, because only the table knows the scroll position.
 */
export function useLinkList(view: Readonly<Ref<LinkView>>, refresh: () => Promise<void>) {
  const store = useInstanceStore();
  // Compared as text: a new object with the same filter is not a new view.
  const viewText = () => JSON.stringify([store.scope, filterOfView(view.value), view.value.order]);
  let shown = viewText();
  const memory = useListMemory();
  const list = pagedRows<ListedLink>({
    kept: memory.keptFor(shown),
    pageSize,
    async fetchPage(page, signal) {
      const query = {
        ...filterOfView(view.value),
        order: view.value.order,
        page,
        limit: pageSize,
        traits: '1' as const,
      };
      const { data } = await call(listLinks, { query, signal });
      return { total: data.result, rows: data.urls };
    },
  });

  const refreshSoon = useDebounceFn(refresh, gather.least, { maxWait: gather.most });
  const refreshLater = useThrottleFn(refresh, clickPause, true, false);

  useLiveEvents((event) => {
    if (event.type === 'click') {
      if (list.indexOf(event.link) === undefined) return;
      list.patch([event.link], (link) =>
        link.clicks === event.count ? link : { ...link, clicks: event.count },
      );
      void refreshLater();
    } else if (event.type === 'changed' && (event.resource === 'links' || event.resource === 'channels')) {
      void refreshSoon();
    }
  });
  // The page's own changes are shown immediately; their live events change nothing.
  onLinkChange(() => void refresh());
  onScopeDispose(useConnectionStore().onFound(() => void refreshSoon()));
  onScopeDispose(() => {
    memory.keep(shown, list.keep());
    list.dispose();
  });

  watch(viewText, (text) => {
    shown = text;
    void list.reset();
  });
  if (list.total.value === undefined) void list.reset();
  // Once the table is scrolled to where it was, so that what the user looks at stays in its place.
  else onMounted(() => onScopeDispose(afterPaint(() => void refresh())));
  return { ...list, refreshSoon };
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
function useListMemory() {
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

export type LinkList = ReturnType<typeof useLinkList>;
