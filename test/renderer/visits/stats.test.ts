import { describe, expect, it } from 'vitest';
import atlas from 'world-atlas/countries-110m.json';
import { clicksChart } from '../../../renderer/visits/stats/clicks-chart.ts';
import { countryCodes, countryName, countryOfNumber } from '../../../renderer/visits/stats/country-codes.ts';
import { changeOf, intervalFormat, rangeText } from '../../../renderer/visits/stats/series.ts';
import { readRange, statsQueryOf } from '../../../renderer/visits/stats/stats-range.ts';
import { worldOutline } from '../../../renderer/visits/stats/world-map.ts';

interface Area {
  readonly id?: string;
  readonly properties: { readonly name: string };
}

describe('the world map', () => {
  const world = worldOutline();

  it('has a country code for every numbered area except Antarctica, which is not drawn', () => {
    const areas: readonly Area[] = (atlas as unknown as { objects: { countries: { geometries: Area[] } } })
      .objects.countries.geometries;
    const numbered = areas.filter((area) => area.id !== undefined);
    expect(numbered.filter((area) => countryOfNumber(area.id ?? '') === undefined)).toEqual([]);
    expect(world.shapes).toHaveLength(areas.length - 1);
    expect(world.shapes.some((shape) => shape.code === 'AQ')).toBe(false);
  });

  it('matches names: what the atlas calls Germany is DE', () => {
    expect(countryName(countryOfNumber('276') ?? '', 'en')).toBe('Germany');
    expect(countryName(countryOfNumber('4') ?? '', 'en')).toBe('Afghanistan');
    expect(world.shapes.some((shape) => shape.code === 'XK')).toBe(true);
  });

  it('draws Russia in one piece', () => {
    const outline = world.shapes.find((shape) => shape.code === 'RU')?.outline ?? '';
    const across = [...outline.matchAll(/[ML](-?[\d.]+),/g)].map((match) => Number(match[1]));
    expect(Math.min(...across)).toBeGreaterThan(world.width * 0.5);
  });

  it('has every country of ISO 3166 once', () => {
    expect(new Set(countryCodes).size).toBe(countryCodes.length);
    expect(countryCodes).toHaveLength(249);
  });

  it('shows an unknown code as its own name', () => {
    expect(countryName('ZQ', 'en')).toBe('ZQ');
    expect(countryName('<b>', 'en')).toBe('<b>');
  });
});

describe('the click chart', () => {
  const words = {
    clicks: 'Clicks',
    unique: 'Unique',
    before: 'Before',
    short: String,
    long: (at: string) => `long ${at}`,
    number: String,
    compact: String,
    font: 'Inter',
  };
  const rgb = 'rgb(1, 2, 3)';
  const colors = { clicks: rgb, unique: rgb, before: rgb, text: rgb, line: rgb, surface: rgb, strong: rgb };
  const series = [{ at: '2026-01-01 00:00:00', clicks: 5, uniqueclicks: 2 }];

  it('distinguishes two lines by more than color', () => {
    const option = clicksChart(series, colors, words, { still: true }) as {
      animation: boolean;
      series: { lineStyle: { type?: unknown } }[];
    };
    expect(option.series.map((line) => line.lineStyle.type !== undefined)).toEqual([false, true]);
    expect(option.animation).toBe(false);
  });

  it('writes the tooltip as text', () => {
    const option = clicksChart(series, colors, { ...words, long: () => '<img src=x>' }, { still: true }) as {
      tooltip: { formatter: (points: { dataIndex: number }[]) => HTMLElement };
    };
    const box = option.tooltip.formatter([{ dataIndex: 0 }]);
    expect(box.querySelector('img')).toBeNull();
    expect(box.textContent).toContain('<img src=x>');
    expect(box.textContent).toContain('Clicks5');
  });

  it("reads the server's local times without shifting them", () => {
    expect(intervalFormat('day', 'en', 'long')('2026-01-31 00:00:00')).toBe('Saturday, January 31, 2026');
    expect(intervalFormat('hour', 'en-GB', 'short')('2026-01-31 13:00:00')).toBe('13:00');
    expect(rangeText('2026-01-01 00:00:00', '2026-01-31 23:59:59', 'en')).toContain('Jan 1');
  });

  it('compares with the previous period only if there is one', () => {
    expect(changeOf(150, 100)).toBe(0.5);
    expect(changeOf(150, 0)).toBeUndefined();
    expect(changeOf(150, undefined)).toBeUndefined();
  });
});

describe('the period', () => {
  it('is read from storage with validation', () => {
    expect(readRange({ period: '7d' })).toEqual({ period: '7d' });
    expect(readRange({ period: 'never' })).toEqual({ period: '30d' });
    expect(readRange({ from: '2026-02-01', to: '2026-01-01' })).toEqual({
      from: '2026-01-01',
      to: '2026-02-01',
    });
    expect(readRange('x')).toEqual({ period: '30d' });
  });

  it('requests bots only if wanted', () => {
    expect(statsQueryOf({ period: '7d' }, false)).toEqual({ period: '7d' });
    expect(statsQueryOf({ from: '2026-01-01', to: '2026-01-02' }, true)).toEqual({
      from: '2026-01-01',
      to: '2026-01-02',
      bots: '1',
    });
  });
});
