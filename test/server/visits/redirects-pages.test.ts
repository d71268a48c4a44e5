import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.close());

/** Every test comes from an address of its own, as misses are limited by address. */
let visitors = 0;
function newAddress() {
  visitors += 1;
  return { 'X-Forwarded-For': `8.8.${visitors}.8` };
}

describe('pages', () => {
  test.each([
    '/',
    '/no-such-alias',
    '/a/b',
    '/%zz',
    '/%00',
    '/..%2f..%2fetc',
    '/wp-login.php?x=1',
    `/${'x'.repeat(500)}`,
  ])('%s is a page and never an internal error', async (path) => {
    const answer = await visit(server, path, { headers: newAddress() });
    expect([200, 404]).toContain(answer.status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  test('are sandboxed, and load nothing but their font', async () => {
    const answer = await visit(server, '/nothing-here', { headers: newAddress() });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toMatch(/; sandbox$/);
    expect(policy).not.toContain('allow-same-origin');
    expect(answer.body).not.toMatch(/<script|src=|@import|url\((?!\/assets\/inter-)/);
  });

  test('for unknown links are the same for HEAD, without the body', async () => {
    const answer = await visit(server, '/nothing-here', { method: 'HEAD', headers: newAddress() });
    expect(answer).toMatchObject({ status: 404, body: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
  });

  test('robots.txt and favicon.ico are answered and are not unmatched visits', async () => {
    const headers = newAddress();
    expect((await visit(server, '/robots.txt', { headers })).body).toContain('Disallow: /api/');
    expect((await visit(server, '/favicon.ico', { headers })).status).toBe(204);
  });
});

describe('hosts', () => {
  test('that are not ours get a plain 404, also for existing aliases (T-22)', async () => {
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'hosted' } });
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.2', 'xn--']) {
      const answer = await visit(server, '/hosted', { headers: { ...newAddress(), Host: host } });
      expect(answer.status).toBe(404);
      expect(answer.location).toBeUndefined();
    }
  });

  test('of an active domain have their own links, and redirect as their owner wants', async () => {
    const database = server.databases.main;
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO domains (user_id, host, redirect_root, redirect_404, active, created_at)
         VALUES (1, 'go.brand.example', 'https://brand.example/', 'https://brand.example/lost', 1, 0)`,
      )
      .run();
    const at = { ...newAddress(), Host: 'go.brand.example' };
    expect(await visit(server, '/', { headers: at })).toMatchObject({
      status: 302,
      location: 'https://brand.example/',
    });
    expect(await visit(server, '/hosted', { headers: at })).toMatchObject({
      status: 302,
      location: 'https://brand.example/lost',
    });
    await server.call(addLink, {
      body: { url: 'https://example.com/branded', custom: 'hosted', domain: 'go.brand.example' },
    });
    expect((await visit(server, '/hosted', { headers: at })).location).toBe('https://example.com/branded');
    expect((await visit(server, '/hosted', { headers: newAddress() })).location).toBe('https://example.com/');
    database.prepare('UPDATE domains SET active = 0 WHERE id = ?').run(lastInsertRowid);
    expect((await visit(server, '/hosted', { headers: at })).status).toBe(404);
  });
});

describe("a domain's links that have ended, or not begun", () => {
  const over = 'https://brand.example/over';
  const soon = 'https://brand.example/soon';
  const at = () => ({ ...newAddress(), Host: 'ends.brand.example' });
  const domain = 'ends.brand.example';
  let domainId: number;
  beforeAll(async () => {
    const insert = `INSERT INTO domains (user_id, host, active, server_synced, created_at) VALUES (1, '${domain}', 1, 1, 0)`;
    domainId = Number(server.databases.main.prepare(insert).run().lastInsertRowid);
    await change({ redirectexpired: over, redirectearly: soon });
  });
  async function change(body: Record<string, unknown>): Promise<void> {
    const reply = await server.request('PUT', `/api/domain/${domainId}/update`, { body });
    expect(reply.status).toBe(200);
  }
  const add = (custom: string, fields: Record<string, unknown>) =>
    server.call(addLink, { body: { url: 'https://example.com/', custom, domain, ...fields } });
  const simulate = async (id: number, body: Record<string, unknown> = {}) =>
    (await server.request('POST', `/api/url/${id}/simulate`, { body })).body.data;

  test.each([
    ['past', { expiry: '2020-01-01' }, over, 410],
    [
      'past-elsewhere',
      { expiry: '2020-01-01', expirationredirect: 'https://own.example/' },
      'https://own.example/',
      302,
    ],
    ['future', { notbefore: '2090-01-01' }, soon, 404],
  ] as const)('redirect where the domain says: %s', async (alias, fields, expected, without) => {
    const { id } = await add(alias, fields);
    expect(await visit(server, `/${alias}`, { headers: at() })).toMatchObject({
      status: 302,
      location: expected,
    });
    expect(await simulate(id)).toMatchObject({ status: 302, link: expected });
    // Nobody may remember it.
    const { headers } = await visit(server, `/${alias}`, { headers: at() });
    expect(headers['cache-control']).toBe('private, no-store');
    await change({ redirectexpired: null, redirectearly: '' });
    expect((await visit(server, `/${alias}`, { headers: at() })).status).toBe(without);
    await change({ redirectexpired: over, redirectearly: soon });
    expect((await visit(server, `/${alias}`, { headers: at() })).location).toBe(expected);
  });

  test('redirect there from the click after the last one, and not before', async () => {
    await add('once', { clicklimit: 1 });
    expect((await visit(server, '/once', { headers: at() })).location).toBe('https://example.com/');
    expect((await visit(server, '/once', { headers: at() })).location).toBe(over);
  });

  test('do not redirect on another address, where a simulated change of domain already shows it', async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/', custom: 'past-here', expiry: '2020-01-01' },
    });
    expect((await visit(server, '/past-here', { headers: newAddress() })).status).toBe(410);
    expect(await simulate(id)).toMatchObject({ status: 410, link: null });
    expect(await simulate(id, { change: { domain } })).toMatchObject({ status: 302, link: over });
  });
});

describe('two domains that redirect to each other for unknown links', () => {
  // Each was not a domain of this instance yet when the other's address was entered, which is how they come to be
  // stored.
  const hosts = ['one.brand.example', 'two.brand.example'];
  const ended = { past: 'expires_at = 1', future: 'not_before_at = 9e15', own: 'expires_at = 1' };
  beforeAll(() => {
    for (const [index, host] of hosts.entries()) {
      const other = hosts[1 - index];
      const id = server.databases.main
        .prepare(
          `INSERT INTO domains (user_id, host, active, server_synced, created_at, redirect_root, redirect_404, redirect_expired, redirect_early)
           VALUES (1, ?, 1, 1, 0, ?, ?, ?, ?)`,
        )
        .run(
          host,
          ...['', 'nothing', 'past', 'future'].map((path) => `https://${other}/${path}`),
        ).lastInsertRowid;
      for (const [alias, end] of Object.entries(ended)) {
        server.databases.main.exec(
          `INSERT INTO links (user_id, domain_id, alias, url, created_at, updated_at, search)
             VALUES (1, ${id}, '${alias}', 'https://example.com/', 1, 1, '');
           UPDATE links SET ${end} WHERE domain_id = ${id} AND alias = '${alias}';
           UPDATE links SET expiration_url = 'https://${other}/own' WHERE alias = 'own' AND domain_id = ${id};
           INSERT INTO aliases (domain_id, alias, kind, target_id)
             SELECT domain_id, alias, 'link', id FROM links WHERE domain_id = ${id} AND alias = '${alias}'`,
        );
      }
    }
  });

  test.each([
    ['/', 200],
    ['/nothing', 404],
    ['/past', 410],
    ['/future', 404],
    ['/own', 410],
  ])('do not redirect a visitor of %s back and forth', async (path, status) => {
    for (const host of hosts) {
      const reply = await visit(server, path, { headers: { ...newAddress(), Host: host } });
      expect([reply.status, reply.location]).toEqual([status, undefined]);
    }
  });

  test('redirect again as soon as the other is not a domain of this instance', async () => {
    server.databases.main.exec(`UPDATE domains SET active = 0 WHERE host = '${hosts[1]}'`);
    for (const path of ['/', '/nothing', '/past', '/future']) {
      const { location } = await visit(server, path, {
        headers: { ...newAddress(), Host: hosts[0] as string },
      });
      expect(location).toBe(`https://${hosts[1]}${path}`);
    }
  });
});

describe('guessing aliases (T-20)', () => {
  test('is blocked after 60 unknown ones in a minute, hits included, and allowed again later', async () => {
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'guessed' } });
    const headers = { 'X-Forwarded-For': '9.9.9.9' };
    for (let index = 0; index < 60; index += 1) {
      expect((await visit(server, `/guess-${index}`, { headers })).status).toBe(404);
    }
    const refused = await visit(server, '/guess-61', { headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await visit(server, '/guessed', { headers })).status).toBe(429);
    expect((await visit(server, '/guessed', { headers: { 'X-Forwarded-For': '9.9.9.10' } })).status).toBe(
      302,
    );
    server.clock.jump(3_600_000);
    expect((await visit(server, '/guessed', { headers })).status).toBe(429);
    server.clock.advance(60_000);
    expect((await visit(server, '/guessed', { headers })).status).toBe(302);
  });

  test('from a shared address does not block others', async () => {
    const headers = { 'X-Forwarded-For': '192.168.1.20' };
    for (let index = 0; index < 61; index += 1) await visit(server, `/scan-${index}`, { headers });
    expect((await visit(server, '/scan-62', { headers })).status).toBe(429);
    expect((await visit(server, '/guessed', { headers })).status).toBe(302);
  });

  test('from many addresses of one IPv6 network counts as one', async () => {
    const from = (index: number) => ({ 'X-Forwarded-For': `2001:4860:1:2::${index.toString(16)}` });
    for (let index = 1; index <= 60; index += 1)
      await visit(server, `/six-${index}`, { headers: from(index) });
    expect((await visit(server, '/six-61', { headers: from(61) })).status).toBe(429);
    const next = { headers: { 'X-Forwarded-For': '2001:4860:1:3::1' } };
    expect((await visit(server, '/six-62', next)).status).toBe(404);
  });

  test('leaves a trace', async () => {
    await visit(server, '/lost-%E2%82%AC?x', {
      headers: { ...newAddress(), Referer: 'https://old.example/page' },
    });
    const last = server.databases.main.prepare('SELECT * FROM orphan_visits ORDER BY id DESC LIMIT 1').get();
    expect(last).toMatchObject({ domain_id: 0, path: '/lost-€', referrer: 'old.example/page', bot: 0 });
  });
});

describe('stored destinations (T-19)', () => {
  const put = (alias: string, url: string) => {
    const database = server.databases.main;
    database.prepare('UPDATE links SET url = ? WHERE alias = ?').run(url, alias);
  };

  test.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'https://user:pw@example.com/',
    'no address',
    'ftp://example.com/',
  ])('that read %s are 410 without a location', async (url) => {
    const alias = `unsafe-${url.length}`;
    await server.call(addLink, { body: { url: 'https://example.com/', custom: alias } });
    put(alias, url);
    const answer = await visit(server, `/${alias}`, { headers: newAddress() });
    expect(answer.status).toBe(410);
    expect(answer.location).toBeUndefined();
  });

  test('may lead to another of our links, but not in circles', async () => {
    for (const custom of ['circle-a', 'circle-b', 'one-hop']) {
      await server.call(addLink, { body: { url: 'https://example.com/', custom } });
    }
    put('one-hop', `${server.origin}/guessed`);
    put('circle-a', `${server.origin}/circle-b`);
    put('circle-b', `${server.origin}/circle-a`);
    expect((await visit(server, '/one-hop', { headers: newAddress() })).status).toBe(302);
    expect((await visit(server, '/circle-a', { headers: newAddress() })).status).toBe(410);
    expect((await visit(server, '/circle-b', { headers: newAddress() })).status).toBe(410);
  });
});
