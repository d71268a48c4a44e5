import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import { maxLimit } from '../../../server/contract/envelope.ts';
import { statsDimensions } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { endpoints } from '../../support/endpoints.ts';
import { visit } from '../../support/visits.ts';

/** Every endpoint of the contract that is read. */
const read = endpoints.filter(({ method }) => method === 'GET');

/** Parameters that hold numbers, days or texts, with values beyond reason and what comes of them. */
const hostile: Record<string, [value: string, status: number][]> = {
  limit: [
    ['99999999999999999999', 200],
    ['-5', 200],
    ['1e9', 400],
    ['9'.repeat(3_000), 200],
  ],
  page: [
    ['99999999999999999999', 200],
    ['0', 200],
    ['1.5', 400],
    ['9'.repeat(3_000), 200],
  ],
  from: [
    ['1970-01-01', 400],
    ['0000-00-00', 400],
  ],
  to: [
    ['9999-13-31', 400],
    ['1969-12-31', 400],
  ],
  comparefrom: [
    // As long as the period beside it.
    ['1970-01-01', 200],
    ['0000-00-00', 400],
  ],
  compareto: [
    ['9999-13-31', 400],
    ['1969-12-31', 400],
  ],
  q: [
    ['x'.repeat(3_000), 400],
    ['\0aa', 400],
  ],
  name: [
    ['x'.repeat(3_000), 400],
    ['\0aa', 400],
  ],
  email: [
    ['x'.repeat(3_000), 400],
    ['\0aa', 400],
  ],
  short: [
    ['x'.repeat(3_000), 400],
    ['\0aa', 400],
  ],
  domain: [['x'.repeat(3_000), 400]],
  path: [['x'.repeat(3_000), 400]],
  after: [['9'.repeat(3_000), 400]],
  size: [['9'.repeat(3_000), 400]],
  ticket: [['x'.repeat(3_000), 400]],
  setupcode: [['x'.repeat(3_000), 400]],
  user: [['9'.repeat(3_000), 400]],
  campaign: [['9'.repeat(3_000), 400]],
  channel: [['9'.repeat(3_000), 400]],
  link: [['9'.repeat(3_000), 400]],
  pixel: [['9'.repeat(3_000), 400]],
  member: [['9'.repeat(3_000), 400]],
  person: [['9'.repeat(3_000), 400]],
  record: [['9'.repeat(3_000), 400]],
  ...Object.fromEntries(statsDimensions.map((name) => [name, [['x'.repeat(201), 400]]])),
};
/** Parameters with a few words to choose from. */
const words = new Set([
  'action',
  'show',
  'view',
  'items',
  'inline',
  'order',
  'status',
  'period',
  'bots',
  'filter',
  'type',
  'format',
  'figures',
  'force',
  'platform',
  'compare',
  'kind',
  'group',
  'health',
  'deleted',
  'below',
  'traits',
]);
/** What a request must say besides, for its other parameters to be looked at. */
const required: Record<string, string> = { '/api/domains/setup': '&domain=example.com' };

const withParameters = read.flatMap((endpoint) => {
  const shape = (endpoint.query as { shape?: object }).shape ?? {};
  return Object.keys(shape).map((name) => [endpoint, name] as const);
});

let server: TestApp;
const ids: Record<string, number> = {};
beforeAll(async () => {
  server = await startApp();
  const things: [string, unknown][] = [
    ['url', { url: 'https://example.com/' }],
    ['campaign', { name: 'Spring' }],
    ['channel', { name: 'Mail' }],
    ['overlay', { name: 'Note', type: 'message', content: { text: 'Hello' } }],
    ['splash', { name: 'Wait' }],
    ['bio', { name: 'Anna' }],
    ['pixel', { name: 'Ads', type: 'bing', tag: '1234567' }],
    ['qr', { type: 'link', data: 'https://example.com/' }],
    ['webhook', { url: 'https://example.com/hook', events: ['link.created'] }],
  ];
  for (const [resource, body] of things) {
    ids[resource] = (await server.request('POST', `/api/${resource}/add`, { body })).body.id ?? 1;
  }
});
afterAll(() => server.close());

function pathOf({ path }: AnyEndpoint): string {
  const [, , resource = ''] = path.split('/');
  return path.replace(/:[a-z]+/g, String(ids[resource] ?? 1));
}

describe('a query parameter', () => {
  test('has a known limit', () => {
    const unknown = withParameters
      .map(([endpoint, name]) => [name, `${endpoint.path} ${name}`] as const)
      .filter(([name]) => !(name in hostile) && !words.has(name));
    expect(unknown.map(([, where]) => where)).toEqual([]);
    expect(withParameters.length).toBeGreaterThan(60);
  });

  test.each(withParameters.map(([endpoint, name]) => [endpoint.path, name, endpoint] as const))(
    '%s?%s is bounded',
    async (_path, name, endpoint) => {
      server.clock.advance(60_000);
      const path = pathOf(endpoint);
      for (const [value, status] of hostile[name] ?? [[`${'x'.repeat(3_000)}`, 400] as const]) {
        const users = endpoint.path === '/api/users' && name !== 'filter' ? '&filter=admin' : '';
        const others = name === 'domain' ? users : users + (required[endpoint.path] ?? '');
        const reply = await server.request('GET', `${path}?${name}=${encodeURIComponent(value)}${others}`);
        // Where there is nothing to read the bound is still looked at first, or nothing is read at all.
        const missing = [404, 401, 403].includes(reply.status);
        if (!missing) expect([value.slice(0, 20), reply.status]).toEqual([value.slice(0, 20), status]);
        if (reply.status !== 400) continue;
        expect([reply.body.field, reply.body.message]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      }
    },
  );

  test('of a list returns at most a thousand rows, and says how many', async () => {
    const lists = withParameters.filter(([, name]) => name === 'limit');
    expect(lists.length).toBeGreaterThan(20);
    for (const [endpoint] of lists) {
      server.clock.advance(60_000);
      const { status, body } = await server.request('GET', `${pathOf(endpoint)}?limit=100000&page=3`);
      const figures = body.data ?? body;
      if (status !== 200 || figures.maxpage === undefined) continue;
      expect([endpoint.path, figures.perpage]).toEqual([endpoint.path, maxLimit]);
    }
  });

  test('of statistics spans at most 20 years', async () => {
    for (const path of ['/api/stats', `/api/url/${ids.url}/stats`, `/api/bio/${ids.bio}/stats`]) {
      const most = await server.request('GET', `${path}?from=2007-01-01&to=2026-12-31`);
      expect([path, most.status, most.body.data?.series.length]).toEqual([path, 200, 240]);
      const more = await server.request('GET', `${path}?from=1970-01-01&to=9999-12-31`);
      expect([path, more.status, more.body.field, more.body.message]).toEqual([
        path,
        400,
        'from',
        'Choose a range of at most 20 years.',
      ]);
    }
  });
});

test('public URLs treat unreasonable parameters like any others', async () => {
  const { body } = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', custom: 'open', forwardquery: true },
  });
  const { link } = (
    await server.request('POST', '/api/qr/add', { body: { type: 'link', data: 'https://example.com/' } })
  ).body;
  const long = 'a=b&'.repeat(2_000);
  for (const path of [
    new URL(body.shorturl).pathname,
    `${new URL(body.shorturl).pathname}+`,
    '/nothing',
    '/',
  ]) {
    const answer = await visit(server, `${path}?${long}`);
    expect([path, answer.status < 500]).toEqual([path, true]);
  }
  for (const size of ['9'.repeat(5_000), '-1', 'NaN', '1e999mm', '0.000001']) {
    const answer = await visit(server, `${new URL(link).pathname}.svg?size=${size}`);
    expect([size.slice(0, 9), answer.status]).toEqual([size.slice(0, 9), 200]);
  }
});
