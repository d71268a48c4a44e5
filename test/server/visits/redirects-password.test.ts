import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLink, updateLink } from '../../../server/contract/links.ts';
import { listLinkClicks } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let id: number;
beforeAll(async () => {
  server = await startApp();
  ({ id } = await server.call(addLink, {
    body: { url: 'https://example.com/secret', custom: 'locked', password: 'öffne & dich' },
  }));
});
afterAll(() => server.close());

const form = (password: string) => ({ method: 'POST', body: new URLSearchParams({ password }).toString() });
const count = async () =>
  (await server.call(listLinkClicks, { params: { id }, query: { bots: '1' } })).data.result;

test.each([
  ['a link', 'UPDATE links SET password_hash = ?', '/damaged', 500],
  ['a file', 'UPDATE files SET password_hash = ?', '/report', 503],
])(
  'a damaged stored password of %s is an error for one visitor, and logged',
  async (_what, sql, path, status) => {
    const damaged = await startApp();
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('unhandledRejection', note);
    try {
      await damaged.call(addLink, {
        body: { url: 'https://example.com/', custom: 'damaged', password: 'right' },
      });
      const query = 'custom=report&password=right';
      await damaged.request('POST', `/api/files/upload/report.txt?${query}`, { rawBody: 'text' });
      damaged.databases.main.prepare(sql).run('no hash');
      expect((await visit(damaged, path, form('right'))).status).toBe(status);
      expect((await visit(damaged, path)).status).toBe(200);
      expect(damaged.logLines().join()).toContain('not a scrypt PHC string');
      expect(uncaught).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      await damaged.close();
    }
  },
);

describe('a link with a password', () => {
  test('shows a form that posts to the same URL, and not the destination', async () => {
    const page = await visit(server, '/locked');
    expect(page.status).toBe(200);
    expect(page.body).toContain('<form method="post">');
    expect(page.body).not.toContain('example.com');
    expect(page.headers['content-security-policy']).toContain('sandbox allow-forms');
    expect((await visit(server, '/locked+')).body).not.toContain('example.com');
  });

  test('answers a wrong password with 403 and the form, and counts nothing', async () => {
    const page = await visit(server, '/locked', form('wrong'));
    expect(page.status).toBe(403);
    expect(page.body).toContain('<form method="post">');
    expect((await visit(server, '/locked', { method: 'POST', body: '' })).status).toBe(403);
    expect(await count()).toBe(0);
  });

  test('answers the right one with 303 and remembers the visitor for ten minutes', async () => {
    const opened = await visit(server, '/locked', form('öffne & dich'));
    expect(opened).toMatchObject({ status: 303, location: 'https://example.com/secret' });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Path=\/locked; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(await count()).toBe(1);

    const remembered = { headers: { Cookie: cookie.split(';', 1)[0] ?? '' } };
    expect((await visit(server, '/locked', remembered)).status).toBe(302);
    expect(await count()).toBe(2);
    server.clock.advance(600_000);
    expect((await visit(server, '/locked', remembered)).status).toBe(200);
  });

  test('ignores a cookie that it did not sign, or signed for the previous password', async () => {
    const opened = await visit(server, '/locked', form('öffne & dich'));
    const cookie = (opened.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
    const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await visit(server, '/locked', { headers: { Cookie: forged } })).status).toBe(200);
    const later = cookie.replace(/=(\d+)\./, (_whole, at: string) => `=${Number(at) + 60_000}.`);
    expect((await visit(server, '/locked', { headers: { Cookie: later } })).status).toBe(200);
    expect((await visit(server, '/locked', { headers: { Cookie: cookie } })).status).toBe(302);
    await server.call(updateLink, { params: { id }, body: { password: 'another' } });
    expect((await visit(server, '/locked', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test('blocks an address for 15 minutes after ten wrong ones, even with the right one', async () => {
    server.clock.advance(15 * 60_000);
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => visit(server, '/locked', form('guess'))),
    );
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
    const blocked = await visit(server, '/locked', form('another'));
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(600);
    server.clock.advance(15 * 60_000);
    expect((await visit(server, '/locked', form('another'))).status).toBe(303);
  });

  test('reads no more than a password', async () => {
    const page = await visit(server, '/locked', form('x'.repeat(20_000)));
    expect(page.status).toBe(413);
    expect(page.headers.connection).toBe('close');
  });

  test('reports its expiry before asking', async () => {
    await server.call(addLink, {
      body: { url: 'https://example.com/', custom: 'late', password: 'secret', archived: true },
    });
    expect((await visit(server, '/late')).status).toBe(410);
    expect((await visit(server, '/late', form('secret'))).status).toBe(410);
  });
});
