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

/** Dash patterns in pixels, so that lines can be told apart without color; solid lines have none. */
export const lineDashes: readonly (readonly number[])[] = [[], [8, 4], [2, 4], [10, 4, 2, 4], [4, 4]];
/** CSS variables with the line colors. */
export const lineColors = ['--ui-primary', '--ui-warning', '--ui-success', '--ui-error', '--ui-text-muted'];

export interface ComparedLine {
  readonly name: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly series: Stats['series'];
  /** The series of the comparison period. */
  readonly before?: Stats['series'] | undefined;
}

/**
 * Chart options for the clicks of several records over time; the comparison period has thinner lines in the same
 * colors.
 */
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
