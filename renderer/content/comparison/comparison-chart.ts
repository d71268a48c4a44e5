import type { EChartsCoreOption } from 'echarts/core';
import type { Stats } from '../../../server/contract/stats.ts';
import { intervalsOf } from '../../visits/stats/clicks-chart.ts';
import {
  type FrameColors,
  type FrameLabels,
  timeChart,
  timeLine,
  tooltipBox,
} from '../../visits/stats/time-chart.ts';

/** How the lines are dashed, so that they are told apart without their colours; in pixels, solid ones have none. */
export const lineDashes: readonly (readonly number[])[] = [[], [8, 4], [2, 4], [10, 4, 2, 4], [4, 4]];
/** Where the colours of the lines come from. */
export const lineColors = ['--ui-primary', '--ui-warning', '--ui-success', '--ui-error', '--ui-text-muted'];

export interface ComparedLine {
  readonly name: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly series: Stats['series'];
  /** The course of the other period. */
  readonly before?: Stats['series'] | undefined;
}

/** The clicks of several records over time; those of the other period as thinner lines of the same colour. */
export function comparisonChart(
  lines: readonly ComparedLine[],
  colors: FrameColors,
  labels: FrameLabels,
  still: boolean,
): EChartsCoreOption {
  const [first] = lines;
  const beside = lines.find(({ before }) => before)?.before;
  return timeChart({
    at: first ? intervalsOf(first.series, beside) : [],
    colors,
    labels,
    still,
    tooltip,
    series: lines.flatMap(({ name, color, dash, series, before }, index) => [
      {
        ...timeLine(series.length),
        id: `line ${index}`,
        name,
        data: series.map(({ clicks }) => clicks),
        lineStyle: { width: 2, color, type: dash.length > 0 ? dash : 'solid' },
        itemStyle: { color },
      },
      ...(before
        ? [
            {
              ...timeLine(before.length),
              id: `before ${index}`,
              name,
              data: before.map(({ clicks }) => clicks),
              lineStyle: { width: 1, color, type: dash.length > 0 ? dash : 'solid', opacity: 0.55 },
              itemStyle: { color, opacity: 0.55 },
            },
          ]
        : []),
    ]),
  });

  function tooltip(index: number): Node {
    const at = first?.series[index]?.at;
    const rows = lines.flatMap(({ name, color, series, before }) => [
      ...(series[index] ? [{ name, value: series[index].clicks, color }] : []),
      ...(before?.[index]
        ? [{ name: labels.long(before[index].at), value: before[index].clicks, color: faded(color) }]
        : []),
    ]);
    return tooltipBox(at ? labels.long(at) : '', rows, { colors, labels });
  }
}

function faded(color: string): string {
  return color.replace(/^rgb\((.+)\)$/, 'rgba($1, 0.55)');
}
