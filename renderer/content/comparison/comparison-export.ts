import { csvLine } from '../../../server/contract/csv-cells.ts';
import { statsDimensions } from '../../../server/contract/stats.ts';
import { escaped } from '../../visits/stats/markup-text.ts';
import { exportedDimensions, type ShownStats } from '../../visits/stats/stats-export.ts';

/**
 * Several statistics over the same period as one CSV, in long format: one row per value with the record's name, for
 * sorting and pivoting in spreadsheets. `before` is the label of the comparison period.
 */
export function comparisonCsv(
  compared: readonly ShownStats[],
  words: { readonly name: string; readonly before: string },
): string {
  const [first] = compared;
  if (!first) return '';
  const { labels } = first;
  const listed = new Set(compared.flatMap(({ stats }) => exportedDimensions(stats)));
  const rows: (string | number)[][] = [
    [labels.section, words.name, labels.value, labels.clicks, labels.unique],
    [labels.period, '', first.period, '', ''],
    ...first.filters.map(({ name, value }) => [labels.filter, '', `${name}: ${value}`, '', '']),
    ...compared.flatMap(({ title, stats, period }) => [
      [labels.total, title, period, stats.clicks, stats.uniqueclicks],
      ...(stats.previous
        ? [[labels.total, title, words.before, stats.previous.clicks, stats.previous.uniqueclicks]]
        : []),
    ]),
    // Timestamps in API format, which spreadsheets recognize.
    ...compared.flatMap(({ title, stats }) =>
      stats.series.map(({ at, clicks, uniqueclicks }) => [labels.series, title, at, clicks, uniqueclicks]),
    ),
    ...compared.flatMap(({ title, stats, dimensionName, nameOf }) =>
      statsDimensions
        .filter((dimension) => listed.has(dimension))
        .flatMap((dimension) =>
          (stats.dimensions[dimension] ?? []).map(({ value, clicks, uniqueclicks }) => [
            dimensionName(dimension),
            title,
            nameOf(dimension, value),
            clicks,
            uniqueclicks,
          ]),
        ),
    ),
  ];
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\uFEFF${rows.map(csvLine).join('')}`;
}

/** A line of the chart with its label. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly dash: readonly number[];
}

const rowHeight = 24;
const margin = 12;

/** Adds a legend above the chart's SVG; on the page, the table serves as legend. */
export function withLegend(
  chart: string,
  entries: readonly LegendEntry[],
  look: { readonly color: string; readonly font: string; readonly isMirrored: boolean },
): string {
  const width = lengthOf(chart, 'width');
  const top = entries.length * rowHeight + 2 * margin;
  const [start, line, text] = look.isMirrored
    ? [width - margin, width - margin - 32, width - margin - 44]
    : [margin, margin + 32, margin + 44];
  const rows = entries.map(({ name, color, dash }, index) => {
    const y = margin + index * rowHeight + rowHeight / 2;
    return (
      `<line x1="${start}" x2="${line}" y1="${y}" y2="${y}" stroke="${escaped(color)}" stroke-width="2.5" ` +
      `stroke-dasharray="${dash.join(' ')}"/>` +
      `<text x="${text}" y="${y}" dominant-baseline="central" text-anchor="start" font-size="13" ` +
      `direction="${look.isMirrored ? 'rtl' : 'ltr'}" font-family="${escaped(look.font)}" ` +
      `fill="${escaped(look.color)}">${escaped(name)}</text>`
    );
  });
  const height = lengthOf(chart, 'height') + top;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rows.join('')}` +
    `<svg y="${top}" width="${width}" height="${height - top}">${chart}</svg></svg>`
  );
}

function lengthOf(svg: string, side: 'width' | 'height'): number {
  return Number(new RegExp(`^<svg[^>]*\\s${side}="([\\d.]+)`).exec(svg)?.[1] ?? 0);
}
