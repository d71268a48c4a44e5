import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { framingJob } from '../../../server/content/framing/job.ts';
import { obstacleTo } from '../../../server/content/framing/policy.ts';
import { dueFramings, framingQueries } from '../../../server/content/framing/queries.ts';
import { framingService } from '../../../server/content/framing/service.ts';
import { linkQueries } from '../../../server/content/links/queries.ts';
import { addLink, getLink, updateLink } from '../../../server/contract/links.ts';
import { readAnswers } from '../../../server/platform/database/read-answers.ts';
import { fetcher, type Looked } from '../../../server/platform/fetcher/fetcher.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

const asked: string[] = [];
let answers: Record<string, Partial<Looked> | undefined> = {};
async function look(url: string): Promise<Looked | undefined> {
  asked.push(url);
  const answer = answers[url];
  return answer && { url: new URL(url), status: 200, headers: {}, ...answer };
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ fetcher: { look } });
  const anna = (await server.request('GET', '/api/account')).body.data.id;
  addDomain(server, 'go.example.com', anna);
});
beforeEach(() => {
  asked.length = 0;
  answers = {};
  server.clock.advance(60_000);
});
afterAll(() => server.close());

const deny = { headers: { 'x-frame-options': 'DENY' } };
const add = (body: Record<string, unknown>) =>
  server.call(addLink, { body: { url: 'https://example.com/page?a=1', type: 'frame', ...body } });
const framingOf = async (id: number) => (await server.call(getLink, { params: { id } })).details.framing;

describe('a link with a frame', () => {
  test('asks its destination when it is created, without the query, and reports the result', async () => {
    answers = { 'https://example.com/page': deny };
    const { id } = await add({});
    expect(asked).toEqual(['https://example.com/page']);
    expect(await framingOf(id)).toEqual({
      verdict: 'forbidden',
      reason: 'x-frame-options',
      address: 'https://example.com/page',
      date: expect.stringMatching(/^2027-01-15 12:/),
    });
  });

  test("is saved even if its destination's reply cannot be stored", async () => {
    answers = { 'https://example.com/page': deny };
    const { main } = server.databases;
    main.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON main.link_framings BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    try {
      const reply = await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/page', type: 'frame', custom: 'framed' },
      });
      expect(reply.status).toBe(200);
      const changed = await server.request('PUT', `/api/url/${reply.body.id}/update`, {
        body: { title: 'New' },
      });
      expect(changed.status).toBe(200);
      expect((await visit(server, '/framed')).status).toBe(200);
    } finally {
      main.exec('DROP TRIGGER temp.full');
    }
  });

  test('redirects directly to a destination that forbids framing, and still counts', async () => {
    answers = { 'https://example.com/page': deny };
    const { id, shorturl } = await add({});
    const answer = await visit(server, new URL(shorturl).pathname);
    expect([answer.status, answer.location]).toEqual([302, 'https://example.com/page?a=1']);
    expect((await server.call(getLink, { params: { id } })).data.clicks).toBe(1);
  });

  test('frames a destination that allows it, and one that could not be asked', async () => {
    answers = { 'https://example.com/page': {} };
    const allowed = await add({});
    answers = {};
    const unknown = await add({ url: 'https://example.com/elsewhere' });
    expect((await framingOf(allowed.id))?.verdict).toBe('allowed');
    expect(await framingOf(unknown.id)).toMatchObject({ verdict: 'unknown', reason: null });
    for (const { shorturl } of [allowed, unknown]) {
      expect((await visit(server, new URL(shorturl).pathname)).body).toContain('<iframe');
    }
  });

  test('ignores error pages', async () => {
    answers = { 'https://example.com/page': { status: 403, ...deny } };
    expect((await framingOf((await add({})).id))?.verdict).toBe('unknown');
  });

  test('asks again when its destination, type or domain changes, and not for its title', async () => {
    answers = { 'https://example.com/page': {}, 'https://example.com/other': deny };
    const { id } = await add({ type: 'direct' });
    expect(asked).toEqual([]);
    expect(await framingOf(id)).toBeNull();
    const change = (body: Record<string, unknown>) => server.call(updateLink, { params: { id }, body });
    await change({ type: 'frame' });
    expect(asked).toEqual(['https://example.com/page']);
    await change({ title: 'New' });
    expect(asked).toHaveLength(1);
    await change({ url: 'https://example.com/other' });
    expect((await framingOf(id))?.verdict).toBe('forbidden');
    await change({ domain: 'go.example.com' });
    expect(asked).toHaveLength(3);
  });

  test('asks every possible destination, and names one that forbids framing', async () => {
    answers = { 'https://example.com/page': {}, 'https://example.com/b': {}, 'https://example.com/de': deny };
    const { id, shorturl } = await add({
      abtesting: [{ url: 'https://example.com/b', percentage: 0 }],
      geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
    });
    expect([...asked].sort()).toEqual(Object.keys(answers).sort());
    expect(await framingOf(id)).toMatchObject({ verdict: 'forbidden', address: 'https://example.com/de' });
    // The others are shown in their frame all the same.
    expect((await visit(server, new URL(shorturl).pathname)).body).toContain('<iframe');
  });

  test('with http inside a branded domain is reported as insecure', async () => {
    const { id } = await add({ url: 'http://example.com/', domain: 'go.example.com' });
    expect(await framingOf(id)).toMatchObject({ verdict: 'forbidden', reason: 'insecure' });
  });
});

describe('POST /api/url/framing', () => {
  const ask = (body: unknown) => server.request('POST', '/api/url/framing', { body });

  test('asks before anything is saved', async () => {
    answers = {
      'https://example.com/page': { headers: { 'content-security-policy': "frame-ancestors 'none'" } },
    };
    expect((await ask({ url: 'https://example.com/page?x=y' })).body).toEqual({
      error: 0,
      data: { verdict: 'forbidden', reason: 'frame-ancestors', address: 'https://example.com/page' },
    });
  });

  test('asks on behalf of a domain', async () => {
    const only = { headers: { 'content-security-policy': 'frame-ancestors https://go.example.com' } };
    answers = { 'https://example.com/': only };
    const own = await ask({ url: 'https://example.com/' });
    const branded = await ask({ url: 'https://example.com/', domain: 'go.example.com' });
    expect([own.body.data.verdict, branded.body.data.verdict]).toEqual(['forbidden', 'allowed']);
    expect((await ask({ url: 'https://example.com/', domain: 'not.mine.com' })).body.field).toBe('domain');
  });

  test('refuses what no link may redirect to', async () => {
    for (const url of ['javascript:alert(1)', 'https://a:b@example.com/', '', `${server.origin}/x`]) {
      const reply = await ask({ url });
      expect([reply.status, reply.body.field]).toEqual([400, 'url']);
    }
    expect(asked).toEqual([]);
  });
});

test('the job asks unknown destinations again after an hour, known ones after a day, and changed links immediately', async () => {
  const own = await startApp({ fetcher: { look }, ratelimit: 1000 });
  try {
    const queries = framingQueries(own.databases.main);
    const framing = framingService({
      queries,
      fetcher: { look },
      baseUrl: () => own.origin,
      now: own.clock.now,
      log: { warn() {} },
    });
    const reads = readAnswers(own.databases.main);
    const job = framingJob({
      listDue: dueFramings({ read: async (statements) => reads(statements) }),
      framing,
      findLink: linkQueries(own.databases.main).find,
      now: own.clock.now,
    });
    const run = async () => {
      asked.length = 0;
      await job.run(new AbortController().signal);
      return [...asked].sort();
    };
    answers = { 'https://example.com/known': {} };
    const made = (url: string) => own.call(addLink, { body: { url, type: 'frame' } });
    await made('https://example.com/known');
    const { id } = await made('https://example.com/unknown');
    await made('https://example.com/third');
    own.clock.advance(60_000);
    expect(await run()).toEqual([]);
    own.clock.advance(3_600_000);
    answers['https://example.com/unknown'] = deny;
    expect(await run()).toEqual(['https://example.com/third', 'https://example.com/unknown']);
    expect((await own.call(getLink, { params: { id } })).details.framing?.verdict).toBe('forbidden');
    own.clock.advance(86_400_000);
    expect(await run()).toHaveLength(3);
    // As an undo would leave it: changed, and nobody has asked since.
    own.clock.advance(1000);
    own.databases.main
      .prepare("UPDATE links SET url = 'https://example.com/back', updated_at = ? WHERE id = ?")
      .run(own.clock.now(), id);
    expect(await run()).toEqual(['https://example.com/back']);
  } finally {
    await own.close();
  }
});

describe('what a page says about frames', () => {
  const sandboxed = 'null';
  const branded = 'https://go.example.com';
  /** Header of the page at https://site.example/, then whether a sandboxed page and a branded one may frame it. */
  // Where it matters, this is what Chromium 156 did when it was asked.
  const table: [Record<string, string | string[]>, boolean, boolean][] = [
    [{}, true, true],
    [{ 'x-frame-options': 'DENY' }, false, false],
    [{ 'x-frame-options': 'sameorigin' }, false, false],
    [{ 'x-frame-options': 'ALLOWALL' }, true, true],
    [{ 'x-frame-options': 'ALLOW-FROM https://x.example' }, true, true],
    [{ 'x-frame-options': 'SAMEORIGIN, SAMEORIGIN' }, false, false],
    [{ 'x-frame-options': ['ALLOWALL', 'DENY'] }, false, false],
    [{ 'x-frame-options': '' }, true, true],
    [{ 'content-security-policy': "default-src 'self'" }, true, true],
    [{ 'content-security-policy': "frame-ancestors 'none'" }, false, false],
    [{ 'content-security-policy': 'frame-ancestors' }, false, false],
    [{ 'content-security-policy': "frame-ancestors 'self'" }, false, false],
    [{ 'content-security-policy': 'frame-ancestors *' }, false, true],
    [{ 'content-security-policy': 'FRAME-ANCESTORS https:' }, false, true],
    [{ 'content-security-policy': 'frame-ancestors http:' }, false, true],
    [{ 'content-security-policy': 'frame-ancestors go.example.com' }, false, true],
    [{ 'content-security-policy': 'frame-ancestors https://*.example.com' }, false, true],
    [{ 'content-security-policy': 'frame-ancestors *.go.example.com' }, false, false],
    [{ 'content-security-policy': 'frame-ancestors https://go.example.com:8443' }, false, false],
    [{ 'content-security-policy': 'frame-ancestors https://go.example.com:*' }, false, true],
    [{ 'content-security-policy': 'frame-ancestors http://go.example.com:80' }, false, true],
    [{ 'content-security-policy': "frame-ancestors *; frame-ancestors 'none'" }, false, true],
    [{ 'content-security-policy': "frame-ancestors *, frame-ancestors 'none'" }, false, false],
    [{ 'content-security-policy': ['frame-ancestors *', 'frame-ancestors https://x.example'] }, false, false],
    [{ 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }, false, true],
    [{ 'content-security-policy-report-only': "frame-ancestors 'none'" }, true, true],
  ];
  const url = new URL('https://site.example/');

  test.each(table)('%j', (headers, bySandboxed, byBranded) => {
    expect(obstacleTo({ url, headers }, sandboxed) === undefined).toBe(bySandboxed);
    expect(obstacleTo({ url, headers }, branded) === undefined).toBe(byBranded);
  });

  test('may frame itself', () => {
    const headers = { 'x-frame-options': 'SAMEORIGIN' };
    expect(obstacleTo({ url, headers }, 'https://site.example')).toBeUndefined();
  });
});

describe('the fetcher’s request', () => {
  const sites: Server[] = [];
  afterAll(() => {
    for (const site of sites) {
      site.closeAllConnections();
      site.close();
    }
  });
  async function site(handle: Parameters<typeof createServer>[1]): Promise<number> {
    const made = createServer(handle);
    sites.push(made);
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    return (made.address() as AddressInfo).port;
  }
  const allowed = (port: number) => fetcher({ allowedRanges: () => ['127.0.0.1/32'], ports: [port] });

  test('returns the headers of the page at the end of its redirects', async () => {
    const port = await site((request: IncomingMessage, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b', 'x-frame-options': 'DENY' }).end();
      else response.writeHead(404, { 'X-Frame-Options': 'SAMEORIGIN' }).end('gone');
    });
    const found = await allowed(port).look(`http://127.0.0.1:${port}/a`, { totalMs: 2000, party: 'framing' });
    expect([found?.status, found?.url.pathname, found?.headers['x-frame-options']]).toEqual([
      404,
      '/b',
      'SAMEORIGIN',
    ]);
  });

  test('does not wait for a page that never arrives or ends', async () => {
    const silent = await site(() => {});
    const before = performance.now();
    expect(
      await allowed(silent).look(`http://127.0.0.1:${silent}/`, { totalMs: 200, party: 'framing' }),
    ).toBeUndefined();
    const endless = await site((_request, response) => {
      response.writeHead(200, {}).write('x');
    });
    expect(
      (await allowed(endless).look(`http://127.0.0.1:${endless}/`, { totalMs: 2000, party: 'framing' }))
        ?.status,
    ).toBe(200);
    expect(performance.now() - before).toBeLessThan(1500);
  });

  test('does not reach addresses of this machine or its network', async () => {
    let hits = 0;
    const port = await site((_request, response) => {
      hits += 1;
      response.end();
    });
    const guarded = fetcher({ allowedRanges: () => [], ports: [port] });
    expect(
      await guarded.look(`http://127.0.0.1:${port}/`, { totalMs: 2000, party: 'framing' }),
    ).toBeUndefined();
    expect(hits).toBe(0);
  });
});
