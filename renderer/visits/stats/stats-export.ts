import { csvLine } from '../../../server/contract/csv-cells.ts';
import { type Stats, type StatsDimension, statsDimensions } from '../../../server/contract/stats.ts';

/** Statistics with all labels and formatters needed for an export. */
export interface ShownStats {
  readonly title: string;
  readonly period: string;
  readonly filters: readonly { name: string; value: string }[];
  readonly labels: Readonly<
    Record<'section' | 'value' | 'period' | 'filter' | 'total' | 'series' | 'clicks' | 'unique', string>
  >;
  readonly stats: Stats;
  readonly nameOf: (dimension: StatsDimension, value: string) => string;
  readonly dimensionName: (dimension: StatsDimension) => string;
  /** Formats the start of an interval. */
  readonly timeOf: (at: string) => string;
}

/** The dimensions to export, without the edge if there is no fleet. */
export function exportedDimensions({ dimensions }: Stats): StatsDimension[] {
  return statsDimensions.filter(
    (name) => name !== 'edge' || dimensions.edge?.some(({ value }) => value !== ''),
  );
}

/** File name for exported statistics. */
export function exportName(name: string, ending: string): string {
  const plain = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${plain.slice(0, 60) || 'statistics'}.${ending}`;
}

/** The displayed statistics as CSV: scope, totals, clicks over time, and each dimension. */
export function statsCsv(shown: ShownStats): string {
  const { labels, stats } = shown;
  const rows: (string | number)[][] = [
    [labels.section, labels.value, labels.clicks, labels.unique],
    [labels.period, shown.period, '', ''],
    ...shown.filters.map(({ name, value }) => [labels.filter, `${name}: ${value}`, '', '']),
    [labels.total, shown.title, stats.clicks, stats.uniqueclicks],
    // Timestamps in API format, which spreadsheets recognize.
    ...stats.series.map(({ at, clicks, uniqueclicks }) => [labels.series, at, clicks, uniqueclicks]),
    ...exportedDimensions(stats).flatMap((dimension) =>
      (stats.dimensions[dimension] ?? []).map(({ value, clicks, uniqueclicks }) => [
        shown.dimensionName(dimension),
        shown.nameOf(dimension, value),
        clicks,
        uniqueclicks,
      ]),
    ),
  ];
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\uFEFF${rows.map(csvLine).join('')}`;
}
