import { describe, expect, it } from 'vitest';
import { daysOf } from '../../../renderer/visits/stats/series.ts';
import { type ShownStats, statsCsv } from '../../../renderer/visits/stats/stats-export.ts';
import { statsReport } from '../../../renderer/visits/stats/stats-report.ts';
import type { Stats } from '../../../server/contract/stats.ts';

const stats = {
  from: '2026-01-01 00:00:00',
  to: '2026-01-02 23:59:59',
  interval: 'day',
  clicks: 5,
  uniqueclicks: 3,
  bots: 0,
  previous: null,
  series: [
    { at: '2026-01-01 00:00:00', clicks: 4, uniqueclicks: 2 },
    { at: '2026-01-02 00:00:00', clicks: 1, uniqueclicks: 1 },
  ],
  dimensions: {
    country: [{ value: 'DE', clicks: 5, uniqueclicks: 3 }],
    referrer: [
      { value: '=HYPERLINK("x")</script><img src=x onerror=alert(1)>', clicks: 5, uniqueclicks: 3 },
      { value: 'news.example;=1+1', clicks: 5, uniqueclicks: 3 },
    ],
  },
} as unknown as Stats;

const shown: ShownStats = {
  title: 'Spring, "sale" <b>',
  period: 'Jan 1 – 2, 2026',
  filters: [{ name: 'Country', value: 'Germany' }],
  labels: {
    section: 'Section',
    value: 'Value',
    period: 'Period',
    filter: 'Filter',
    total: 'Total',
    series: 'Clicks over time',
    clicks: 'Clicks',
    unique: 'Unique visitors',
  },
  stats,
  nameOf: (dimension, value) => (dimension === 'country' ? 'Germany' : value),
  dimensionName: (dimension) => dimension,
  timeOf: (at) => at.slice(0, 10),
};

describe('exported statistics', () => {
  it('are a table of what is shown, with its filters', () => {
    const lines = statsCsv(shown).slice(1).trimEnd().split('\r\n');
    expect(lines).toEqual([
      '"Section","Value","Clicks","Unique visitors"',
      '"Period","Jan 1 – 2, 2026","",""',
      '"Filter","Country: Germany","",""',
      '"Total","Spring, ""sale"" <b>",5,3',
      '"Clicks over time","2026-01-01 00:00:00",4,2',
      '"Clicks over time","2026-01-02 00:00:00",1,1',
      '"country","Germany",5,3',
      `"referrer","'=HYPERLINK(""x"")</script><img src=x onerror=alert(1)>",5,3`,
      // In quotes, since a spreadsheet that separates by semicolons would begin a formula behind it.
      '"referrer","news.example;=1+1",5,3',
    ]);
  });

  it('are a self-contained page without scripts, whatever a referrer says', () => {
    const look = { language: 'ar', direction: 'rtl' } as const;
    const page = new DOMParser().parseFromString(
      statsReport(shown, '<svg xmlns="http://www.w3.org/2000/svg"/>', look, String),
      'text/html',
    );
    expect(page.documentElement.dir).toBe('rtl');
    expect(
      page.querySelectorAll('script, link, b, [onerror], img:not([src^="data:image/svg+xml"])'),
    ).toHaveLength(0);
    expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'");
    expect(page.querySelector('h1')?.textContent).toBe('Spring, "sale" <b>');
    expect([...page.querySelectorAll('header li')].map((item) => item.textContent)).toEqual([
      'Country: Germany',
    ]);
    expect(page.body.textContent).toContain('<img src=x onerror=alert(1)>');
    expect([...page.querySelectorAll('dd')].map((figure) => figure.textContent)).toEqual(['5', '3']);
  });
});

describe('a point of the chart', () => {
  it('stands for its day or all days of its month', () => {
    expect(daysOf('2026-02-28 00:00:00', 'day')).toEqual({ from: '2026-02-28', to: '2026-02-28' });
    expect(daysOf('2028-02-01 00:00:00', 'month')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(daysOf('2026-12-15 00:00:00', 'month')).toEqual({ from: '2026-12-15', to: '2026-12-31' });
  });
});
