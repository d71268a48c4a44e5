import { getCampaignStats } from '../../../server/contract/campaigns.ts';
import type { QueryInput } from '../../../server/contract/endpoint.ts';
import { getLink } from '../../../server/contract/links.ts';
import { getLinkStats, getStats, type Stats } from '../../../server/contract/stats.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { readableAddress } from '../../ui/addresses.ts';
import type { ComparedRecord } from './compared-records.ts';

type StatsQuery = QueryInput<typeof getLinkStats>;

/** A record with its statistics; undefined if it was deleted or the user may not see it. */
export interface ComparedStats extends ComparedRecord {
  /** A link's URL; the names of other records come from their lists. */
  readonly name: string | undefined;
  readonly stats: Stats | undefined;
}

/**
 * Loads the statistics of several records over the same period. "All time" starts at each record's first click, so
 * these are requested again from the earliest first click.
 */
export async function loadComparison(
  records: readonly ComparedRecord[],
  query: StatsQuery,
  signal: AbortSignal,
): Promise<ComparedStats[]> {
  const load = (asked: StatsQuery) =>
    Promise.all(records.map((record) => whereThere(() => statsOf(record, asked, signal))));
  const [names, found] = await Promise.all([
    Promise.all(records.map((record) => nameOf(record, signal))),
    load(query),
  ]);
  const aligned = isAligned(found) ? found : await load({ ...query, ...daysOfAll(found) });
  return records.map((record, index) => ({ ...record, name: names[index], stats: aligned[index] }));
}

async function statsOf({ kind, id }: ComparedRecord, query: StatsQuery, signal: AbortSignal): Promise<Stats> {
  if (kind === 'link') return (await call(getLinkStats, { params: { id }, query, signal })).data;
  if (kind === 'campaign') return (await call(getCampaignStats, { params: { id }, query, signal })).data;
  const channel = { channel: String(id), below: '1' as const };
  return (await call(getStats, { query: { ...query, ...channel }, signal })).data;
}

async function nameOf({ kind, id }: ComparedRecord, signal: AbortSignal): Promise<string | undefined> {
  if (kind !== 'link') return undefined;
  const link = await whereThere(() => call(getLink, { params: { id }, signal }));
  return link && readableAddress(link.details.shorturl);
}

/** A missing record does not affect the others. */
async function whereThere<Found>(load: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}

function isAligned(found: readonly (Stats | undefined)[]): boolean {
  const spans = found.flatMap((stats) => (stats ? [`${stats.from} ${stats.to} ${stats.interval}`] : []));
  return new Set(spans).size <= 1;
}

/** The range from the earliest first day to the latest last day. */
function daysOfAll(found: readonly (Stats | undefined)[]): { from: string; to: string } {
  const there = found.filter((stats) => stats !== undefined);
  const [from = ''] = there.map((stats) => stats.from.slice(0, 10)).sort();
  const [to = ''] = there
    .map((stats) => stats.to.slice(0, 10))
    .sort()
    .reverse();
  return { from, to };
}

/** All statistics merged, for the values offered as filters. */
export function mergedStats(compared: readonly ComparedStats[]): Stats | undefined {
  const there = compared.flatMap(({ stats }) => stats ?? []);
  const [first] = there;
  if (!first) return undefined;
  const dimensions: Stats['dimensions'] = {};
  for (const stats of there) {
    for (const [name, words] of Object.entries(stats.dimensions)) {
      const dimension = name as keyof Stats['dimensions'];
      const known = dimensions[dimension] ?? [];
      const values = new Set(known.map(({ value }) => value));
      dimensions[dimension] = [...known, ...words.filter(({ value }) => !values.has(value))];
    }
  }
  const moments = there.flatMap(({ filteredsince }) => filteredsince ?? []).sort();
  return { ...first, dimensions, filteredsince: moments.at(-1) ?? null };
}
