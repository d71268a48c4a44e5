import type { EChartsCoreOption } from 'echarts/core';

/** Theme colors of all time charts, as `rgb(…)`: ECharts computes with them and does not support CSS variables. */
export interface FrameColors {
  readonly text: string;
  readonly line: string;
  readonly surface: string;
  readonly strong: string;
}

export interface FrameLabels {
  /** Formatters for the start of an interval: on the axis, and in full in the tooltip. */
  readonly short: (at: string) => string;
  readonly long: (at: string) => string;
  /** The page's font. */
  readonly font: string;
  readonly number: (value: number) => string;
  readonly compact: (value: number) => string;
}

interface TimeChart {
  /** Starts of the intervals. */
  readonly at: readonly string[];
  readonly colors: FrameColors;
  readonly labels: FrameLabels;
  /** Disables animations. */
  readonly still: boolean;
  readonly series: readonly object[];
  /** Tooltip content of an interval. */
  readonly tooltip: (index: number) => Node;
}

/** Chart options for lines over time. The time axis runs from left to right, in right-to-left languages as well. */
export function timeChart({ at, colors, labels, still, series, tooltip }: TimeChart): EChartsCoreOption {
  return {
    animation: !still,
    // The initial render is not animated, only changes.
    animationDuration: 0,
    animationDurationUpdate: 300,
    textStyle: { fontFamily: labels.font },
    grid: { left: 4, right: 12, top: 12, bottom: 2, containLabel: true },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: at,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: colors.text, fontSize: 12, margin: 12, hideOverlap: true, formatter: labels.short },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      splitLine: { lineStyle: { color: colors.line } },
      axisLabel: { color: colors.text, fontSize: 12, formatter: labels.compact },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: still ? 0 : 0.15,
      backgroundColor: colors.surface,
      borderColor: colors.line,
      padding: [8, 12],
      textStyle: { color: colors.strong, fontSize: 13 },
      axisPointer: { type: 'line', lineStyle: { color: colors.text, type: 'solid', width: 1 } },
      formatter: (points: { dataIndex: number }[]) => tooltip(points[0]?.dataIndex ?? -1),
    },
    series,
  };
}

/** Style of a line with `points` points. */
export function timeLine(points: number) {
  return { type: 'line', showSymbol: points === 1, symbolSize: 7, smooth: 0.4, smoothMonotone: 'x' };
}

/** One row of a tooltip: label, value and line color. */
export interface TooltipRow {
  readonly name: string;
  readonly value: number;
  readonly color: string;
}

/** The tooltip as an element instead of markup, so that its content is set as text. */
export function tooltipBox(
  title: string,
  rows: readonly TooltipRow[],
  { colors, labels }: Pick<TimeChart, 'colors' | 'labels'>,
): HTMLElement {
  const box = document.createElement('div');
  const heading = document.createElement('div');
  heading.textContent = title;
  heading.style.cssText = `color:${colors.text};font-size:12px;margin-block-end:4px`;
  box.append(heading, ...rows.map(rowElement));
  return box;

  function rowElement({ name, value, color }: TooltipRow): HTMLElement {
    const element = document.createElement('div');
    element.style.cssText = 'display:flex;align-items:center;gap:8px;line-height:20px;min-width:140px';
    const dot = document.createElement('span');
    dot.style.cssText = `flex:none;width:8px;height:8px;border-radius:9999px;background:${color}`;
    const label = document.createElement('span');
    label.textContent = name;
    label.style.cssText = 'max-width:220px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap';
    const count = document.createElement('span');
    count.textContent = labels.number(value);
    count.style.cssText = 'margin-inline-start:auto;font-weight:600;font-variant-numeric:tabular-nums';
    element.append(dot, label, count);
    return element;
  }
}
