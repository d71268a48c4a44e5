import type { Reader } from '../../platform/database/reader.ts';
import { hourMs } from '../../visits/clicks/dimensions.ts';
import { type Period, type PeriodQuery, readPeriod, type Span } from '../../visits/stats/periods.ts';

interface Metrics {
  views: number;
  clicks: number;
}

export interface BioStatistics extends Metrics {
  period: Period;
  previous: Metrics | null;
  /** One entry for each of the period's intervals. */
  series: Metrics[];
  /** Clicks in the period by block. */
  blocks: Map<number, number>;
}

interface Options {
  reader: Reader;
  now: () => number;
}

const firstHourSql = 'SELECT min(hour) AS hour FROM bio_counts WHERE bio_id = ?';
/** `?` takes the intervals as JSON, [[first hour, hour after the last], …]; each of them is one search. */
const seriesSql = `
  SELECT spans.key AS position, coalesce(sum(visits) FILTER (WHERE block = 0), 0) AS views,
         coalesce(sum(visits) FILTER (WHERE block > 0), 0) AS clicks
  FROM json_each(?) AS spans
  CROSS JOIN bio_counts ON bio_id = ? AND hour >= json_extract(spans.value, '$[0]')
                       AND hour < json_extract(spans.value, '$[1]')
  GROUP BY spans.key`;
const blocksSql = `
  SELECT block, sum(visits) AS clicks FROM bio_counts
  WHERE bio_id = ? AND hour >= ? AND hour < ? AND block > 0 GROUP BY block`;

/** Statistics of bio pages, out of their counts by hour. */
export function bioStatistics({ reader, now }: Options) {
  /** The rows of one statement. Their shape is that of the statement. */
  async function rowsOf<Row>(sql: string, values: (string | number)[]): Promise<Row[]> {
    const [rows] = await reader.read([{ sql, values }]);
    return (rows ?? []) as Row[];
  }

  async function seriesOf(id: number, spans: readonly Span[]): Promise<Metrics[]> {
    const rows = await rowsOf<Metrics & { position: number }>(seriesSql, [
      JSON.stringify(spans.map(hoursOf)),
      id,
    ]);
    const series: Metrics[] = spans.map(() => ({ views: 0, clicks: 0 }));
    for (const { position, views, clicks } of rows) series[position] = { views, clicks };
    return series;
  }

  return {
    async of(id: number, query: PeriodQuery, timezone: string): Promise<BioStatistics> {
      const needsStart = query.period === 'all' && query.from === undefined && query.to === undefined;
      const [first] = needsStart ? await rowsOf<{ hour: number | null }>(firstHourSql, [id]) : [];
      const firstAt = typeof first?.hour === 'number' ? first.hour * hourMs : undefined;
      const period = readPeriod(query, { now: now(), timezone, firstAt });
      const [series, before, blocks] = await Promise.all([
        seriesOf(id, period.intervals),
        period.previous ? seriesOf(id, [period.previous]) : [],
        rowsOf<{ block: number; clicks: number }>(blocksSql, [id, ...hoursOf(period)]),
      ]);
      return {
        period,
        ...series.reduce(
          (sum, { views, clicks }) => ({ views: sum.views + views, clicks: sum.clicks + clicks }),
          { views: 0, clicks: 0 },
        ),
        previous: before[0] ?? null,
        series,
        blocks: new Map(blocks.map(({ block, clicks }) => [block, clicks])),
      };
    },
  };
}

export type BioStatisticsService = ReturnType<typeof bioStatistics>;

/** An hour counts for the local interval that it begins in, as it does for links. */
function hoursOf({ from, to }: Span): [first: number, end: number] {
  return [Math.ceil(from / hourMs), Math.ceil(to / hourMs)];
}
