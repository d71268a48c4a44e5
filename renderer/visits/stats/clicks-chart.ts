import type { EChartsCoreOption } from 'echarts/core';
import type { Stats } from '../../../server/contract/stats.ts';

/** Colours of a chart, as `rgb(…)`: the chart library computes with them and knows no CSS variables. */
export interface ChartColors {
  readonly clicks: string;
  readonly unique: string;
  readonly before: string;
  readonly text: string;
  readonly line: string;
  readonly surface: string;
  readonly strong: string;
}

export interface ClicksChartLabels {
  readonly clicks: string;
  readonly unique: string;
  /** What the period before is called, where it is shown. */
  readonly before?: string;
  /** Starts of intervals on the axis and, in full, in the tooltip. */
  readonly short: (at: string) => string;
  readonly long: (at: string) => string;
  /** The page's own font. */
  readonly font: string;
  readonly number: (value: number) => string;
  readonly compact: (value: number) => string;
}

/** What a chart shows beside the course of clicks. */
export interface ClicksChartExtras {
  /** Leaves out all movement. */
  readonly still: boolean;
  /** Whether the last interval is not over yet: then the way to it is dashed. */
  readonly unfinished?: boolean;
  /** The course of the period before, interval by interval. */
  readonly before?: Stats['series'] | undefined;
}

/**
 * The picture of clicks and unique visitors over time, told apart by line style as well as by colour. Time runs from
 * left to right, also where text does not.
 */
export function clicksChart(
  series: Stats['series'],
  colors: ChartColors,
  labels: ClicksChartLabels,
  { still, unfinished = false, before }: ClicksChartExtras,
): EChartsCoreOption {
  const last = series.length - 1;
  const isCut = unfinished && last > 0;
  const values = series.map((point) => point.clicks);
  const line = {
    type: 'line',
    showSymbol: series.length === 1,
    symbolSize: 7,
    smooth: 0.4,
    smoothMonotone: 'x',
  };
  return {
    animation: !still,
    // The picture is there at once; only changes move.
    animationDuration: 0,
    animationDurationUpdate: 300,
    textStyle: { fontFamily: labels.font },
    grid: { left: 4, right: 12, top: 12, bottom: 2, containLabel: true },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: series.map((point) => point.at),
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
              ...line,
              id: 'before',
              name: labels.before,
              data: series.map((_, index) => before[index]?.clicks ?? null),
              lineStyle: { width: 1.5, color: colors.before, type: [8, 4] },
              itemStyle: { color: colors.before },
            },
          ]
        : []),
    ],
  };

  /** An element, not markup: what it says is set as text. */
  function tooltip(index: number): Node {
    const point = series[index];
    const box = document.createElement('div');
    if (!point) return box;
    const heading = document.createElement('div');
    heading.textContent = labels.long(point.at);
    heading.style.cssText = `color:${colors.text};font-size:12px;margin-block-end:4px`;
    box.append(
      heading,
      row(labels.clicks, point.clicks, colors.clicks),
      row(labels.unique, point.uniqueclicks, colors.unique),
    );
    const compared = before?.[index];
    if (compared) box.append(row(labels.long(compared.at), compared.clicks, colors.before));
    return box;
  }

  function row(name: string, value: number, color: string): HTMLElement {
    const element = document.createElement('div');
    element.style.cssText = 'display:flex;align-items:center;gap:8px;line-height:20px;min-width:140px';
    const dot = document.createElement('span');
    dot.style.cssText = `width:8px;height:8px;border-radius:9999px;background:${color}`;
    const label = document.createElement('span');
    label.textContent = name;
    const count = document.createElement('span');
    count.textContent = labels.number(value);
    count.style.cssText = 'margin-inline-start:auto;font-weight:600;font-variant-numeric:tabular-nums';
    element.append(dot, label, count);
    return element;
  }
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
