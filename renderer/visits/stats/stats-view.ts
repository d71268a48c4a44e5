import { computed, type InjectionKey, inject, provide, type ShallowRef, shallowRef, watch } from 'vue';
import { type LocationQuery, type LocationQueryRaw, useRoute, useRouter } from 'vue-router';
import { type StatsDimension, statsDimensions } from '../../../server/contract/stats.ts';
import { useInstanceStorage, useInstanceStore } from '../../api/instance.ts';
import {
  defaultRange,
  isCustomRange,
  readDays,
  readRange,
  type StatsDays,
  type StatsRange,
  statsQueryOf,
} from './stats-range.ts';

/** A dimension value to filter clicks by. */
interface StatsFilter {
  readonly dimension: StatsDimension;
  readonly value: string;
}

/** The comparison: the previous period, or custom dates. */
export type StatsComparison = 'previous' | StatsDays;

/** Storage keys for the last selection. */
interface Memory {
  readonly range: string;
  readonly bots?: string;
}

/**
 * The view of the statistics: range, bots, filters and comparison. Filters, range and comparison are stored in the URL,
 * so that Back, a reload and a shared URL restore them. Child components access the view with `useStatsView`.
 */
export function provideStatsView(memory: Memory) {
  const route = useRoute();
  const router = useRouter();
  const store = useInstanceStore();
  const stored = useInstanceStorage<StatsRange>(memory.range, defaultRange);
  const bots = useInstanceStorage(memory.bots ?? `${memory.range}.bots`, false);
  const page = route.name;
  /** The query as long as this page is shown, ignoring that of the next page. */
  const address = shallowRef<LocationQuery>(route.query);
  watch(
    () => route.query,
    (query) => {
      if (route.name === page) address.value = query;
    },
    { flush: 'sync' },
  );

  const canFilter = computed(() => store.can('stats-filters'));
  const filters = computed<readonly StatsFilter[]>(() =>
    canFilter.value
      ? statsDimensions.flatMap((dimension) =>
          valuesOf(address.value, dimension).map((value) => ({ dimension, value })),
        )
      : [],
  );
  const range = computed<StatsRange>({
    get: () => {
      const { period, from, to } = address.value;
      return period || from ? readRange({ period, from, to }) : readRange(stored.value);
    },
    set: (next) => {
      stored.value = next;
      const days = isCustomRange(next) ? { from: next.from, to: next.to } : { period: next.period };
      change({ period: undefined, from: undefined, to: undefined, ...days });
    },
  });
  const canCompareDays = computed(() => store.can('stats-compare'));
  const comparison = computed<StatsComparison | undefined>({
    get: () => {
      const { compare, comparefrom, compareto } = address.value;
      const days = canCompareDays.value ? readDays(comparefrom, compareto) : undefined;
      return days ?? (canFilter.value && compare === 'previous' ? compare : undefined);
    },
    set: (wanted) =>
      change({
        compare: undefined,
        comparefrom: undefined,
        compareto: undefined,
        ...comparisonQuery(wanted),
      }),
  });
  /** The query of the statistics endpoints. */
  const query = computed(() => ({
    ...statsQueryOf(range.value, bots.value),
    ...comparisonQuery(comparison.value),
    ...byDimension(filters.value),
  }));

  function change(query: LocationQueryRaw): void {
    void router.replace({ query: { ...address.value, ...query }, hash: route.hash });
  }

  const view = {
    canFilter,
    range,
    bots,
    comparison,
    canCompareDays,
    filters,
    query,
    /** The view's part of the URL query, for links to pages with the same view. */
    shown: computed<LocationQueryRaw>(() => ({
      ...(isCustomRange(range.value)
        ? { from: range.value.from, to: range.value.to }
        : { period: range.value.period }),
      ...comparisonQuery(comparison.value),
      ...byDimension(filters.value),
    })),
    has: (dimension: StatsDimension, value: string) => valuesOf(address.value, dimension).includes(value),
    /** Toggles a filter. */
    toggle(dimension: StatsDimension, value: string): void {
      const values = valuesOf(address.value, dimension);
      const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
      change({ [dimension]: next.length > 0 ? next : undefined });
    },
    /** Replaces all filters. */
    set(wanted: readonly StatsFilter[]): void {
      const none = Object.fromEntries(statsDimensions.map((dimension) => [dimension, undefined]));
      change({ ...none, ...byDimension(wanted) });
    },
    /** Returns the displayed chart as SVG, for exports. */
    picture: shallowRef<() => string | undefined>(() => undefined) as ShallowRef<() => string | undefined>,
  };
  provide(viewKey, view);
  return view;
}

type StatsView = ReturnType<typeof provideStatsView>;

const viewKey: InjectionKey<StatsView> = Symbol('statistics');

/** The view provided by the page; undefined where statistics are shown without controls. */
export function useStatsView(): StatsView | undefined {
  return inject(viewKey, undefined);
}

function comparisonQuery(comparison: StatsComparison | undefined) {
  if (comparison === undefined) return {};
  if (comparison === 'previous') return { compare: 'previous' as const };
  return { comparefrom: comparison.from, compareto: comparison.to };
}

/** The filter values of a dimension in the URL; an empty one is the unknown value. */
function valuesOf(query: LocationQuery, dimension: StatsDimension): string[] {
  const sent = query[dimension];
  if (sent === undefined) return [];
  return [...new Set((Array.isArray(sent) ? sent : [sent]).map((value) => value ?? ''))];
}

function byDimension(filters: readonly StatsFilter[]): Partial<Record<StatsDimension, string[]>> {
  const found: Partial<Record<StatsDimension, string[]>> = {};
  for (const { dimension, value } of filters) found[dimension] = [...(found[dimension] ?? []), value];
  return found;
}
