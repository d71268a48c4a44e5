import { useQuery } from '@pinia/colada';
import { computed, shallowRef, watch } from 'vue';
import { type Click, listClicks, listLinkClicks } from '../../../server/contract/stats.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey } from '../../api/instance.ts';
import { useLiveEvents } from '../../api/live.ts';

/** Maximum number of visits shown; older ones are part of the statistics. */
const kept = 50;

/** Number of visits loaded initially. */
const fetched = 20;

/**
 * The latest visits of one link, or of all links without `linkId`. New visits are prepended live; `arrived` has their
 * ids, for highlighting.
 */
export function useRecentVisits(linkId: () => number | undefined, bots: () => boolean) {
  const live = shallowRef<readonly Click[]>([]);
  const arrived = shallowRef<ReadonlySet<number>>(new Set());

  const query = useQuery({
    key: () => instanceQueryKey(['clicks', linkId() ?? null, bots() ? 1 : 0]),
    query: ({ signal }) => {
      const filter = { limit: fetched, ...(bots() && { bots: '1' as const }) };
      const id = linkId();
      return id === undefined
        ? call(listClicks, { query: filter, signal })
        : call(listLinkClicks, { params: { id }, query: filter, signal });
    },
    // Include visits that happened while another page was open.
    refetchOnMount: 'always',
  });

  watch([linkId, bots], () => {
    live.value = [];
    arrived.value = new Set();
  });

  useLiveEvents((event) => {
    if (event.type !== 'click') return;
    const id = linkId();
    if (id !== undefined && event.link !== id) return;
    const fresh = event.recent.filter(
      (visit) => (bots() || !visit.bot) && (id === undefined || visit.link === id),
    );
    if (fresh.length === 0) return;
    live.value = newestFirst([...fresh, ...live.value]).slice(0, kept);
    arrived.value = new Set([...arrived.value, ...fresh.map((visit) => visit.id)]);
  });

  const visits = computed(() =>
    query.data.value
      ? newestFirst([...live.value, ...query.data.value.data.clicks]).slice(0, kept)
      : undefined,
  );
  return { visits, arrived, failure: query.error };
}

/** Deduplicated: the stream and the list overlap. */
function newestFirst(visits: readonly Click[]): Click[] {
  const byId = new Map(visits.map((visit) => [visit.id, visit]));
  return [...byId.values()].sort((one, other) => other.id - one.id);
}
