import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { csvLine } from '../../../server/contract/csv-cells.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { chunks } from '../../support/chunks.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const post = async (path: string, body: unknown) => (await server.request('POST', path, { body })).body;
const exported = (query = '') => server.request('GET', `/api/urls/export${query}`);

/** The cells of a file whose every text is in quotes; throws on anything that is not so. */
function readCsv(file: string): string[][] {
  expect(file.startsWith('\uFEFF')).toBe(true);
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = file.slice(1);
  while (rest !== '') {
    const [whole = '', quoted, number, end] = /^(?:"((?:[^"]|"")*)"|(\d+))(,|\r\n)/.exec(rest) ?? [];
    if (whole === '') throw new Error(`no cell: ${rest.slice(0, 40)}`);
    row.push(quoted?.replaceAll('""', '"') ?? number ?? '');
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
    rest = rest.slice(whole.length);
  }
  return rows;
}

describe('the export of links', () => {
  let id = 0;
  beforeAll(async () => {
    const anna = (await server.request('GET', '/api/account')).body.data.id;
    addDomain(server, 'go.example.com', anna);
    const campaign = (await post('/api/campaign/add', { name: 'Spring' })).id;
    const channels = [
      (await post('/api/channel/add', { name: 'Mail' })).id,
      (await post('/api/channel/add', { name: 'Zebra, "quoted"' })).id,
    ];
    await post('/api/url/add', { url: 'https://example.com/plain', custom: 'plain' });
    id = (
      await post('/api/url/add', {
        url: 'https://example.com/a?b=1,2',
        custom: 'sale',
        domain: 'go.example.com',
        title: 'Spring; "sale"',
        note: 'two\nlines',
        campaign,
        channel: channels,
        rules: [{ link: 'https://example.com/de', conditions: [{ type: 'country', op: 'is', value: 'DE' }] }],
        expiry: '2027-06-01 12:00:00',
      })
    ).id;
  });

  test('as CSV has a row for each link, newest first, ready for import', async () => {
    const reply = await exported();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe(
      'attachment; filename="waypost-links-2027-01-15.csv"',
    );
    const raw = await fetch(`${server.origin}/api/urls/export`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const bytes = Buffer.from(await raw.arrayBuffer());
    const [header, ...rows] = readCsv(bytes.toString('utf8'));
    expect(header).toContain('long url');
    const cell = (row: string[] | undefined, name: string) => row?.[header?.indexOf(name) ?? -1];
    expect(rows.map((row) => cell(row, 'alias'))).toEqual(['sale', 'plain']);
    expect(Object.fromEntries((header ?? []).map((name) => [name, cell(rows[0], name)]))).toEqual({
      id: String(id),
      'short url': 'https://go.example.com/sale',
      alias: 'sale',
      domain: 'go.example.com',
      'long url': 'https://example.com/a?b=1,2',
      title: 'Spring; "sale"',
      description: '',
      note: 'two\nlines',
      tags: expect.stringMatching(/^(Mail\|Zebra, "quoted"|Zebra, "quoted"\|Mail)$/),
      campaign: 'Spring',
      clicks: '0',
      'unique clicks': '0',
      state: 'active',
      expiry: '2027-06-01 12:00:00',
      'archive on': '',
      'delete on': '',
      'created at': expect.stringMatching(/^2027-01-15 \d\d:\d\d:\d\d$/),
      'time zone': 'UTC',
      protected: '',
      settings: JSON.stringify({
        type: 'direct',
        rules: [{ conditions: [{ type: 'country', op: 'is', value: 'DE' }], link: 'https://example.com/de' }],
      }),
    });
  });

  test('as JSON has all their settings', async () => {
    const reply = await exported('?format=json');
    expect(reply.headers.get('content-disposition')).toContain('waypost-links-2027-01-15.json');
    const details = (await server.request('GET', `/api/url/${id}`)).body.details;
    const {
      id: same,
      alias,
      shorturl,
      longurl,
      title,
      note,
      rules,
      expiry,
      campaign,
      channel,
      date,
    } = details;
    const facts = { id: same, alias, shorturl, longurl, title, note, rules, expiry, campaign, channel, date };
    expect(reply.body.urls[0]).toMatchObject({ ...facts, campaignname: 'Spring' });
    expect(reply.body.urls).toHaveLength(2);
  });

  test('is a document for clients that read nothing else', async () => {
    const { body, headers } = await exported('?inline=1');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({ error: 0, data: { filename: 'waypost-links-2027-01-15.csv' } });
    expect(readCsv(body.data.content)).toHaveLength(3);
    const json = (await exported('?inline=1&format=json')).body.data;
    expect(JSON.parse(json.content).urls).toHaveLength(2);
  });

  test('follows the filters of the list', async () => {
    expect((await exported('?format=json&q=spring')).body.urls).toHaveLength(1);
    expect((await exported('?format=json&domain=go.example.com')).body.urls).toHaveLength(1);
    expect((await exported('?format=json&status=archived')).body.urls).toEqual([]);
    expect((await exported('?format=xml')).body.field).toBe('format');
  });

  test('contains only the caller’s own links, however many', async () => {
    const other = secondAccount(server, 'olga');
    for (const length of [200, 60]) {
      const rows = Array.from({ length }, (_, index) => ({
        url: `https://example.com/${length}-${index}`,
      }));
      await other.request('POST', '/api/urls/import', { body: { rows } });
    }
    const { urls } = (await other.request('GET', '/api/urls/export?format=json')).body;
    expect(new Set(urls.map(({ longurl }: { longurl: string }) => longurl)).size).toBe(260);
    expect(urls.map((link: { id: number }) => link.id)).toEqual(
      urls.map((link: { id: number }) => link.id).toSorted((a: number, b: number) => b - a),
    );
  });

  test.each(['csv', 'json'] as const)(
    'is written as %s a few links or 64 KB at a time, however large they are',
    async (format) => {
      const other = secondAccount(server, `large${format}`);
      const note = 'x'.repeat(10_000);
      const rows = Array.from({ length: 72 }, (_, index) => ({
        url: `https://example.com/${index}`,
        ...(index < 12 && { note }),
      }));
      await other.request('POST', '/api/urls/import', { body: { rows } });
      const pieces = await chunks(server.port, `/api/urls/export?format=${format}`, other.key);
      const links = pieces.map((piece) => piece.split('https://example.com/').length - 1);
      expect(links.reduce((sum, each) => sum + each, 0)).toBe(72);
      expect(Math.max(...links)).toBe(25);
      // The last link of a piece may begin before its end.
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(65_536 + 20_000);
    },
  );

  test('requires a plan with exports', async () => {
    const plans = (await server.request('GET', '/api/plans')).body.data;
    const free = plans.find((plan: { free: boolean }) => plan.free);
    await server.request('PUT', `/api/plan/${free.id}/update`, {
      body: { features: { export: { enabled: false } } },
    });
    const other = secondAccount(server, 'frida', 1);
    const refused = await other.request('GET', '/api/urls/export');
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([403, 'plan_required', 'export']);
  });

  test('can be imported again', async () => {
    const other = secondAccount(server, 'ivan');
    const [header = [], ...rows] = readCsv((await exported('?inline=1')).body.data.content);
    const cell = (row: string[], name: string) => row[header.indexOf(name)] ?? '';
    const body = {
      rows: rows.map((row) => ({
        url: cell(row, 'long url'),
        title: cell(row, 'title'),
        tags: cell(row, 'tags').split('|').filter(Boolean),
        date: cell(row, 'created at'),
      })),
    };
    const outcome = (await other.request('POST', '/api/urls/import', { body })).body.data;
    expect(outcome.rows.map((row: { outcome: string }) => row.outcome)).toEqual(['create', 'create']);
    expect(outcome.channels.toSorted()).toEqual(['Mail', 'Zebra, "quoted"']);
  });
});

describe('a cell of a CSV file (T-26)', () => {
  test('of a link is harmless in the exported file', async () => {
    for (const title of ['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(A1)', 'fine;=1+1']) {
      await post('/api/url/add', { url: 'https://example.com/', title, note: `\t=${title}` });
    }
    const rows = readCsv((await exported('?inline=1')).body.data.content);
    for (const cell of rows.flat()) expect(cell).not.toMatch(formula);
    expect(rows.flat()).toContain('\'=HYPERLINK("https://evil.example")');
  });

  const formula = /^\s*[=+\-@\t\r]/;

  test('never starts like a formula, whatever it contains', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', ';', ',', '"'), fc.string())
        .map(([a, b]) => a + b),
    );
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 6 }), (cells) => {
        const line = csvLine(cells);
        const [row] = readCsv(`\uFEFF${line}`);
        expect(row).toHaveLength(cells.length);
        for (const [index, cell] of (row ?? []).entries()) {
          expect(cell).not.toMatch(formula);
          // Nothing else is changed.
          expect([cells[index], `'${cells[index]}`]).toContain(cell);
        }
      }),
      { numRuns: 300, examples: [[[' \t=1']], [[' \tx']], [['\u2028\r']]] },
    );
  });
});
