import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { h } from 'vue';
import { RouterView } from 'vue-router';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { mostCompared, readCompared } from '../../../renderer/content/comparison/compared-records.ts';
import { comparisonChart } from '../../../renderer/content/comparison/comparison-chart.ts';
import { comparisonCsv, withLegend } from '../../../renderer/content/comparison/comparison-export.ts';
import type { ShownStats } from '../../../renderer/visits/stats/stats-export.ts';
import { getLink } from '../../../server/contract/links.ts';
import type { Stats } from '../../../server/contract/stats.ts';
import { sampleOf } from '../../support/sample-reply.ts';
import { account, meta, openPage, settle } from '../page.ts';

function statsOf(from: string, clicks: number, further: Partial<Stats> = {}): Stats {
  return {
    from: `${from} 00:00:00`,
    to: '2027-01-15 23:59:59',
    interval: 'day',
    clicks,
    uniqueclicks: 1,
    bots: 0,
    previous: null,
    series: [{ at: `${from} 00:00:00`, clicks, uniqueclicks: 1 }],
    dimensions: { country: [{ value: 'DE', clicks, uniqueclicks: 1 }] },
    ...further,
  };
}

describe('what an address compares', () => {
  test('is each record once, and five at most', () => {
    expect(readCompared(['link-7', 'campaign-3', 'link-7', 'page-1', 'link-0', null])).toEqual([
      { kind: 'link', id: 7 },
      { kind: 'campaign', id: 3 },
    ]);
    expect(readCompared('channel-4')).toEqual([{ kind: 'channel', id: 4 }]);
    expect(readCompared(undefined)).toEqual([]);
    expect(readCompared(Array.from({ length: 9 }, (_, id) => `link-${id + 1}`))).toHaveLength(mostCompared);
  });
});

describe('the export of a comparison', () => {
  const shown = (title: string, stats: Stats): ShownStats => ({
    title,
    period: 'January',
    filters: [{ name: 'Country', value: 'Germany' }],
    labels: {
      section: 'Section',
      value: 'Value',
      period: 'Period',
      filter: 'Filter',
      total: 'Total',
      series: 'Course',
      clicks: 'Clicks',
      unique: 'Unique',
    },
    stats,
    nameOf: (_dimension, value) => value,
    dimensionName: String,
    timeOf: String,
  });

  test('tells which machine answered where one of them was an edge of a fleet', () => {
    const edge = (value: string) => ({ dimensions: { edge: [{ value, clicks: 1, uniqueclicks: 1 }] } });
    const [here, there] = [statsOf('2027-01-15', 1, edge('')), statsOf('2027-01-15', 1, edge('Oslo'))];
    const words = { name: 'Name', before: 'Before' };
    expect(comparisonCsv([shown('one', here), shown('two', here)], words)).not.toContain('edge');
    expect(comparisonCsv([shown('one', here), shown('two', there)], words)).toContain(
      '"edge","one","",1,1\r\n"edge","two","Oslo",1,1\r\n',
    );
  });

  test('has a row for each figure, with the name of what it is of', () => {
    const one = statsOf('2027-01-15', 4, { previous: { ...statsOf('2026-01-15', 9), from: '', to: '' } });
    const csv = comparisonCsv([shown('=one', one), shown('two', statsOf('2027-01-15', 7))], {
      name: 'Name',
      before: 'Before',
    });
    expect(csv.slice(1).trimEnd().split('\r\n')).toEqual([
      '"Section","Name","Value","Clicks","Unique"',
      '"Period","","January","",""',
      '"Filter","","Country: Germany","",""',
      `"Total","'=one","January",4,1`,
      `"Total","'=one","Before",9,1`,
      '"Total","two","January",7,1',
      `"Course","'=one","2027-01-15 00:00:00",4,1`,
      '"Course","two","2027-01-15 00:00:00",7,1',
      `"country","'=one","DE",4,1`,
      '"country","two","DE",7,1',
    ]);
    expect(comparisonCsv([], { name: '', before: '' })).toBe('');
  });

  test('is a picture with the names of its lines, whatever they are', () => {
    const chart = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><path/></svg>';
    const entries = [
      { name: '</text><b> & "', color: 'rgb(1, 2, 3)', dash: [] },
      { name: 'two', color: 'red', dash: [2, 4] },
    ];
    const look = { color: 'black', font: '"Inter", sans-serif', isMirrored: false };
    const svg = new DOMParser().parseFromString(withLegend(chart, entries, look), 'image/svg+xml');
    expect([...svg.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual([
      '</text><b> & "',
      'two',
    ]);
    const { width, height } = Object.fromEntries(
      [...(svg.documentElement.attributes ?? [])].map(({ name, value }) => [name, value]),
    );
    expect([width, height]).toEqual(['300', '172']);
    expect(svg.querySelectorAll('path')).toHaveLength(1);
  });
});

describe('the chart of a comparison', () => {
  const colors = { text: '', line: '', surface: '', strong: '' };
  const labels = {
    short: String,
    long: (at: string) => `on ${at}`,
    font: '',
    number: String,
    compact: String,
  };
  const line = {
    name: '<b>one</b>',
    color: 'rgb(1, 2, 3)',
    dash: [],
    series: statsOf('2027-01-15', 4).series,
  };

  test('has one more line for each record under another period, and writes names as text', () => {
    const before = statsOf('2026-01-15', 9).series;
    const lines = [line, { ...line, dash: [8, 4], before }];
    const option = comparisonChart(lines, colors, labels, true) as {
      series: { lineStyle: { type: unknown } }[];
      tooltip: { formatter: (points: { dataIndex: number }[]) => HTMLElement };
    };
    expect(option.series.map(({ lineStyle }) => lineStyle.type)).toEqual(['solid', [8, 4], [8, 4]]);
    const box = option.tooltip.formatter([{ dataIndex: 0 }]);
    expect(box.textContent).toBe('on 2027-01-15 00:00:00<b>one</b>4<b>one</b>4on 2026-01-15 00:00:009');
  });
});

describe('the page of a comparison', () => {
  beforeEach(() => storedTokens(localStorage).write('local', 'the-token'));

  test('shows what is there over the same time, and takes one off the address', async () => {
    const described = meta(false);
    const features = ['stats', 'stats-filters', 'stats-compare', 'links', 'campaigns', 'channels'];
    const list = (name: string, items: object[]) => ({
      body: {
        error: 0,
        data: {
          result: items.length,
          perpage: 100,
          currentpage: 1,
          nextpage: null,
          maxpage: 1,
          [name]: items,
        },
      },
    });
    const linkAt = (shorturl: string) => ({
      body: { error: 0, ...(sampleOf(getLink.reply, { shorturl }) as object) },
    });
    const since = (path: string) => new URLSearchParams(path.split('?')[1]).get('from');
    const page = await openPage(
      () => h(UApp, () => h(RouterView)) as never,
      '/compare?of=link-1&of=link-2&of=link-9&period=all',
      {
        'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
        'GET /api/account': { body: { error: 0, data: account } },
        'GET /api/campaigns': list('campaigns', []),
        'GET /api/channels': list('channels', []),
        'GET /api/url/1': linkAt('https://go.example/one'),
        'GET /api/url/2': linkAt('https://go.example/two'),
        'GET /api/url/1/stats': ({ path }) => ({
          body: { error: 0, data: statsOf(since(path) ?? '2027-01-10', 31) },
        }),
        'GET /api/url/2/stats': ({ path }) => ({
          body: { error: 0, data: statsOf(since(path) ?? '2027-01-03', 77) },
        }),
      },
    );
    await settle();
    await settle();
    // Phones have the names in rows of their own.
    const rows = () =>
      [...document.querySelectorAll('tbody tr')]
        .filter((row) => row.querySelector('td'))
        .map(({ textContent }) => textContent);
    expect(rows()).toHaveLength(3);
    expect(rows()[0]).toContain('31');
    expect(rows()[1]).toContain('77');
    expect(rows()[2]).toContain('No longer available');
    // "All time" begins with the first click of all.
    const asked = page.requests.filter(({ path }) => path.startsWith('/api/url/1/stats'));
    expect(asked.map(({ path }) => since(path))).toEqual([null, '2027-01-03']);

    document.querySelector<HTMLElement>('tbody:last-of-type button')?.click();
    await settle();
    expect(page.router.currentRoute.value.query).toMatchObject({ of: ['link-1', 'link-2'], period: 'all' });
    expect(rows()).toHaveLength(2);
  });
});
