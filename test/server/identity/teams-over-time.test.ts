import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashSecret } from '../../../server/identity/keys/secrets.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { openDatabases } from '../../../server/platform/database/open.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { browsers } from '../../support/visits.ts';

const hour = 3_600_000;
const day = 24 * hour;
const clock = testClock();

let folder = '';
let server: TestApp | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-teams-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function visit({ origin }: TestApp, alias: string): Promise<string> {
  const reply = await fetch(`${origin}/${alias}`, {
    redirect: 'manual',
    headers: { 'user-agent': browsers.windows },
  });
  return `${reply.status} ${reply.headers.get('location') ?? ''}`.trim();
}

/** The newest schema that knows nothing of teams. */
const beforeTeams = migrations.filter(({ version }) => version < 34);

/** A data folder of somebody who used the version before teams: links with clicks, a campaign, a channel and a key. */
function earlierInstance(secret: string): void {
  const { main, close } = openDatabases({
    folder,
    migrations: beforeTeams,
    newId: () => 'earlier',
    now: clock.now,
  });
  const at = clock.now() - 3 * day;
  main.exec(`
    INSERT INTO users (id, email, email_folded, username, username_folded, name, password_hash, admin, plan_id,
      registered_at, timezone)
    VALUES (7, 'anna@example.com', 'anna@example.com', 'anna', 'anna', 'Anna', 'none', 1, 2, ${at}, 'Europe/Berlin');
    INSERT INTO campaigns (id, user_id, name, name_folded, created_at) VALUES (31, 7, 'Spring', 'spring', ${at});
    INSERT INTO channels (id, user_id, name, name_folded, created_at) VALUES (32, 7, 'News', 'news', ${at});
    INSERT INTO links (id, user_id, alias, url, search, campaign_id, clicks, unique_clicks, created_at, updated_at)
    VALUES (41, 7, 'kept', 'https://example.com/kept', 'kept', 31, 5, 4, ${at}, ${at}),
      (42, 7, 'other', 'https://example.com/other', 'other', NULL, 0, 0, ${at}, ${at});
    INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (0, 'kept', 'link', 41), (0, 'other', 'link', 42);
    INSERT INTO link_channels (channel_id, link_id) VALUES (32, 41);
    INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots) VALUES
      (0, 41, 0, ${Math.floor(at / hour)}, 0, 5, 4, 1), (1, 7, 0, ${Math.floor(at / hour)}, 0, 5, 4, 1),
      (1, 7, 12, ${Math.floor(at / hour)}, 41, 5, 4, 1);`);
  main
    .prepare(
      `INSERT INTO keys (id, user_id, kind, name, hash, prefix, created_at) VALUES (9, 7, 'custom', 'CI', ?, 'wp_', ?)`,
    )
    .run(hashSecret(secret), at);
  close();
}

test('an instance from before teams works as it did: ids, key, statistics and redirects', async () => {
  const secret = `wp_${createHash('sha256').update('earlier').digest('hex')}`;
  earlierInstance(secret);
  server = await startApp({ folder, clock, fresh: true });
  const app = server;
  const ask = async (path: string) => (await app.request('GET', path, { key: secret })).body;

  expect(await visit(app, 'kept')).toBe('302 https://example.com/kept');
  const { urls } = (await ask('/api/urls')).data;
  expect(urls.map(({ id, clicks }: { id: number; clicks: number }) => [id, clicks])).toEqual([
    [42, 0],
    [41, 6],
  ]);
  // Whoever works alone reads nothing of creators.
  expect(urls[0]).not.toHaveProperty('created_by');
  expect((await ask('/api/url/41')).details).toMatchObject({ alias: 'kept', campaign: 31, channel: [32] });
  expect((await ask('/api/account')).data).toMatchObject({
    id: 7,
    username: 'anna',
    timezone: 'Europe/Berlin',
    member: { id: 7, role: 'owner' },
  });
  const stats = (await ask('/api/stats?period=7d')).data;
  expect([stats.clicks, stats.uniqueclicks, stats.toplinks[0]?.id]).toEqual([6, 5, 41]);
  expect((await ask('/api/campaigns')).data.campaigns).toMatchObject([{ id: 31, name: 'Spring' }]);
  expect((await ask('/api/teams')).data.result).toBe(0);

  // What is made from now on has ids that were never given before, teams included.
  const added = await app.request('POST', '/api/url/add', {
    key: secret,
    body: { url: 'https://example.com/new', custom: 'new' },
  });
  expect(added.body.id).toBe(43);
  const team = await app.request('POST', '/api/team/add', { key: secret, body: { name: 'First team' } });
  expect(team.body.id).toBe(8);
  expect(await visit(app, 'new')).toBe('302 https://example.com/new');
});

test('a team is complete when restored on day 29, and after 30 days it is gone and its aliases are free', async () => {
  server = await startApp({ folder, clock, ratelimit: 10_000 });
  const app = server;
  const team = await newTeam(app);
  const { owner } = team;
  const add = async (path: string, body: object) => (await owner.inTeam('POST', path, { body })).body;
  const campaign = (await add('/api/campaign/add', { name: 'Rotating', slug: 'rotating' })).id;
  const links = Array.from({ length: 30 }, (_, index) => `team-link-${index}`);
  for (const custom of links) {
    await add('/api/url/add', { url: `https://example.com/${custom}`, custom, campaign });
  }
  await add('/api/bio/add', { name: 'Page', alias: 'team-page', blocks: [] });
  const qr = new URL(
    (await add('/api/qr/add', { type: 'text', data: 'Text in a code', name: 'q' })).link ?? app.origin,
  );
  const answers = async () => [
    await visit(app, 'team-link-3'),
    await visit(app, 'team-page'),
    (await visit(app, 'r/rotating')).slice(0, 3),
    (await visit(app, qr.pathname.slice(1))).slice(0, 3),
  ];
  const before = await answers();
  expect(before[0]).toBe('302 https://example.com/team-link-3');
  // The password of people of these tests is none that anybody could type.
  const remove = () =>
    app.databases.main
      .prepare('UPDATE users SET trashed_at = ?, active = 0 WHERE id = ?')
      .run(app.clock.now(), team.id);
  remove();
  expect(await visit(app, 'team-link-3')).toBe('404');
  clock.advance(29 * day);
  const again = secondAccount(app, 'again');
  app.databases.main
    .prepare("UPDATE keys SET expires_at = expires_at + ? WHERE kind = 'session'")
    .run(365 * day);
  expect((await owner.request('POST', `/api/team/${team.id}/restore`)).status).toBe(200);
  expect(await answers()).toEqual(before);

  remove();
  const taken = await again.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/mine', custom: 'team-link-3' },
  });
  expect(taken.body.code).toBe('alias_taken');
  app.app.startJobs();
  const left = () =>
    app.databases.main.prepare('SELECT count(*) FROM users WHERE id = ?').pluck().get(team.id);
  clock.advance(30 * day);
  await expect
    .poll(
      () => {
        clock.advance(2 * hour);
        return left();
      },
      { timeout: 10_000 },
    )
    .toBe(0);
  const mine = await again.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/mine', custom: 'team-link-3' },
  });
  expect(mine.status).toBe(200);
  expect(await visit(app, 'team-link-3')).toBe('302 https://example.com/mine');
  expect((await owner.request('POST', `/api/team/${team.id}/restore`)).status).toBe(404);
});
