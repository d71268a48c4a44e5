import type { EChartsCoreOption } from 'echarts/core';
import type { Stats } from '../../../server/contract/stats.ts';
import { type FrameColors, type FrameLabels, timeChart, timeLine, tooltipBox } from './time-chart.ts';

export interface ChartColors extends FrameColors {
  readonly clicks: string;
  readonly unique: string;
  readonly before: string;
}

export interface ClicksChartLabels extends FrameLabels {
  readonly clicks: string;
  readonly unique: string;
  /** Label of the comparison period, if shown. */
  readonly before?: string;
}

/** Options of the clicks chart. */
export interface ClicksChartExtras {
  /** Disables animations. */
  readonly still: boolean;
  /** Whether the last interval is incomplete: its segment is then dashed. */
  readonly unfinished?: boolean;
  /** The series of the comparison period, interval by interval. */
  readonly before?: Stats['series'] | undefined;
}

/** Chart options for clicks and unique visitors over time, distinguished by line style as well as color. */
export function clicksChart(
  series: Stats['series'],
  colors: ChartColors,
  labels: ClicksChartLabels,
  { still, unfinished = false, before }: ClicksChartExtras,
): EChartsCoreOption {
  const last = series.length - 1;
  const isCut = unfinished && last > 0;
  const values = series.map((point) => point.clicks);
  const line = timeLine(series.length);
  return timeChart({
    at: intervalsOf(series, before),
    colors,
    labels,
    still,
    tooltip,
    series: [
      {
        ...line,
        id: 'clicks',
        name: labels.clicks,
        data: isCut ? values.map((value, index) => (index === last ? null : value)) : values,
        lineStyle: { width: 2, color: colors.clicks },
        itemStyle: { color: colors.clicks },
        areaStyle: { color: shade(colors.clicks), opacity: 1 },
      },
      {
        ...line,
        id: 'unique',
        name: labels.unique,
        data: series.map((point) => point.uniqueclicks),
        lineStyle: { width: 2, color: colors.unique, type: [5, 4] },
        itemStyle: { color: colors.unique },
      },
      ...(isCut
        ? [
            {
              ...line,
              id: 'unfinished',
              data: values.map((value, index) => (index < last - 1 ? null : value)),
              lineStyle: { width: 2, color: colors.clicks, type: [2, 4] },
              itemStyle: { color: colors.clicks },
            },
          ]
        : []),
      ...(before
        ? [
            {
              ...timeLine(before.length),
              id: 'before',
              name: labels.before,
              data: before.map(({ clicks }) => clicks),
              lineStyle: { width: 1.5, color: colors.before, type: [8, 4] },
              itemStyle: { color: colors.before },
            },
          ]
        : []),
    ],
  });

  function tooltip(index: number): Node {
    const point = series[index];
    const compared = before?.[index];
    const rows = [
      ...(point
        ? [
            { name: labels.clicks, value: point.clicks, color: colors.clicks },
            { name: labels.unique, value: point.uniqueclicks, color: colors.unique },
          ]
        : []),
      ...(compared ? [{ name: labels.long(compared.at), value: compared.clicks, color: colors.before }] : []),
    ];
    return tooltipBox(point ? labels.long(point.at) : '', rows, { colors, labels });
  }
}

/** Starts of the intervals; if the comparison period is longer, additional ones are empty strings. */
export function intervalsOf(series: Stats['series'], before: Stats['series'] | undefined): string[] {
  const further = Math.max(0, (before?.length ?? 0) - series.length);
  return [...series.map(({ at }) => at), ...Array.from({ length: further }, () => '')];
}

function shade(color: string) {
  return {
    type: 'linear',
    x: 0,
    y: 0,
    x2: 0,
    y2: 1,
    colorStops: [
      { offset: 0, color: color.replace(/^rgb\((.+)\)$/, 'rgba($1, 0.22)') },
      { offset: 1, color: color.replace(/^rgb\((.+)\)$/, 'rgba($1, 0)') },
    ],
  };
}
