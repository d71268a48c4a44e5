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

/** A value that clicks must have. */
interface StatsFilter {
  readonly dimension: StatsDimension;
  readonly value: string;
}

/** What the period is compared with: the one before it, or any days. */
export type StatsComparison = 'previous' | StatsDays;

/** Where a page remembers what was chosen last. */
interface Memory {
  readonly range: string;
  readonly bots?: string;
}

/**
 * What of the statistics is looked at: period, bots, filters and comparison. Filters, the period that was chosen and
 * the comparison stand in the address, so that Back, a reload and a shared address bring them back. What is below the
 * page in the tree finds the view by `useStatsView`.
 */
export function provideStatsView(memory: Memory) {
  const route = useRoute();
  const router = useRouter();
  const store = useInstanceStore();
  const stored = useInstanceStorage<StatsRange>(memory.range, defaultRange);
  const bots = useInstanceStorage(memory.bots ?? `${memory.range}.bots`, false);
  const page = route.name;
  /** The address as long as this page is shown: the next one's is none of its business. */
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
  /** The query of the endpoints of statistics. */
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
    /** What of the address is about the view, for a page that shows other things the same way. */
    shown: computed<LocationQueryRaw>(() => ({
      ...(isCustomRange(range.value)
        ? { from: range.value.from, to: range.value.to }
        : { period: range.value.period }),
      ...comparisonQuery(comparison.value),
      ...byDimension(filters.value),
    })),
    has: (dimension: StatsDimension, value: string) => valuesOf(address.value, dimension).includes(value),
    /** Adds a filter, or takes it off. */
    toggle(dimension: StatsDimension, value: string): void {
      const values = valuesOf(address.value, dimension);
      const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
      change({ [dimension]: next.length > 0 ? next : undefined });
    },
    /** Has these filters and no others. */
    set(wanted: readonly StatsFilter[]): void {
      const none = Object.fromEntries(statsDimensions.map((dimension) => [dimension, undefined]));
      change({ ...none, ...byDimension(wanted) });
    },
    /** The chart that is shown, as SVG; for exports. */
    picture: shallowRef<() => string | undefined>(() => undefined) as ShallowRef<() => string | undefined>,
  };
  provide(viewKey, view);
  return view;
}

type StatsView = ReturnType<typeof provideStatsView>;

const viewKey: InjectionKey<StatsView> = Symbol('statistics');

/** The view of the page around; none where statistics are only shown. */
export function useStatsView(): StatsView | undefined {
  return inject(viewKey, undefined);
}

function comparisonQuery(comparison: StatsComparison | undefined) {
  if (comparison === undefined) return {};
  if (comparison === 'previous') return { compare: 'previous' as const };
  return { comparefrom: comparison.from, compareto: comparison.to };
}

/** The values that an address has for a dimension; an empty one is the unknown value. */
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
