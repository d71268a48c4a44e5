import { useDebounceFn, useThrottleFn } from '@vueuse/core';
import { onMounted, onScopeDispose, type Ref, watch } from 'vue';
import { useConnectionStore } from '../../api/connection.ts';
import { useLiveEvents } from '../../api/live.ts';
import { pageSize } from '../../api/page-size.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { onLinkChange } from './link-changes.ts';
import { fetchLinks, type ListedLink, takeAhead, useListMemory, viewText } from './link-pages.ts';
import type { LinkView } from './link-view.ts';
import { pagedRows } from './paged-rows.ts';

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
  // Compared as text: a new object with the same filter is not a new view.
  const text = () => viewText(view.value);
  let shown = text();
  const memory = useListMemory();
  const kept = memory.keptFor(shown);
  const ahead = takeAhead(shown);
  let onItsWay = ahead?.rows ? undefined : ahead?.answer;
  const list = pagedRows<ListedLink>({
    kept: kept ?? ahead?.rows,
    pageSize,
    fetchPage(page, signal) {
      const answer = page === 1 ? onItsWay : undefined;
      onItsWay = undefined;
      const ask = () => fetchLinks(view.value, page, { signal });
      return answer ? answer.catch(ask) : ask();
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

  watch(text, (next) => {
    shown = next;
    void list.reset();
  });
  if (list.total.value === undefined) void list.reset();
  // Once the table is scrolled to where it was, so that what the user looks at stays in its place.
  else if (kept) onMounted(() => onScopeDispose(afterPaint(() => void refresh())));
  return { ...list, refreshSoon };
}

export type LinkList = ReturnType<typeof useLinkList>;
