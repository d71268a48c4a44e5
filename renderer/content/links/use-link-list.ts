import { useDebounceFn, useThrottleFn } from '@vueuse/core';
import { onScopeDispose, type Ref, watch } from 'vue';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { listLinks } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useConnectionStore } from '../../api/connection.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useLiveEvents } from '../../api/live.ts';
import { pageSize } from '../../api/page-size.ts';
import { onLinkChange } from './link-changes.ts';
import { filterOfView, type LinkView } from './link-view.ts';
import { pagedRows } from './paged-rows.ts';

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
  const list = pagedRows<ListedLink>({
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
  onScopeDispose(list.dispose);

  // Compared as text: a new object with the same filter is not a new view.
  watch(
    () => JSON.stringify([store.scope, filterOfView(view.value), view.value.order]),
    () => void list.reset(),
    { immediate: true },
  );
  return { ...list, refreshSoon };
}

export type LinkList = ReturnType<typeof useLinkList>;
