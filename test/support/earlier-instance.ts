import { passwords } from '../../server/identity/keys/passwords.ts';
import { migrations } from '../../server/platform/database/migrations.ts';
import { openDatabases } from '../../server/platform/database/open.ts';
import { administrator } from './app.ts';

/** What the first migration of create or find, planned days, templates and the like is called. */
const firstLater = 'create-or-find';
const hourMs = 3_600_000;

/**
 * Makes a data folder as a version left it that knew neither create or find nor settings of aliases, templates, planned
 * days, apps, public statistics and own parameters: an account with links of several kinds on two hosts, channels, a
 * campaign, a bio page, a QR code, and four clicks on its first link, the last two of which are not counted yet. `at`
 * is when they came.
 */
export async function earlierInstance(folder: string, at: number): Promise<void> {
  const until = migrations.find(({ name }) => name.includes(firstLater))?.version ?? 0;
  const databases = openDatabases({
    folder,
    migrations: migrations.filter(({ version }) => version < until),
    newId: () => 'earlier',
    now: () => at,
  });
  const { email, username, name, password } = administrator;
  const hash = await passwords({ cost: 4 }).hash(password, email);
  const hour = Math.floor(at / hourMs);
  const { main } = databases;
  main
    .prepare(
      `INSERT INTO users (id, email, email_folded, username, username_folded, name, password_hash, admin, plan_id, registered_at,
         timezone) VALUES (1, @email, @email, @username, @username, @name, @hash, 1, 2, 0, 'UTC')`,
    )
    .run({ email, username, name, hash });
  main.exec(
    `INSERT INTO domains (id, user_id, host, redirect_404, active, server_synced, created_at) VALUES
       (1, 1, 'go.example.com', 'https://example.com/lost', 1, 1, 0);
     INSERT INTO campaigns (id, user_id, name, name_folded, slug, public, created_at) VALUES (1, 1, 'Fair', 'fair', 'fair', 1, 0);
     INSERT INTO channels (id, user_id, name, name_folded, created_at) VALUES
       (1, 1, 'print', 'print', 0), (2, 1, 'print/2026', 'print/2026', 0);
     INSERT INTO links (id, user_id, domain_id, alias, url, title, abtesting, deeplink, forward_query, campaign_id, rules,
       clicks, unique_clicks, created_at, updated_at, trashed_at, search) VALUES
       (1, 1, NULL, 'plain', 'https://example.com/plain?utm_source=mail', 'Plain', '[]', NULL, 0, 1, '[]', 2, 1, 10, 10, NULL, 'plain'),
       (2, 1, 1, 'branded', 'https://example.com/branded', NULL, '[]', NULL, 1, NULL,
         '[{"conditions":[{"type":"country","op":"is","value":"DE"}],"link":"https://example.com/de"}]', 0, 0, 20, 20, NULL, 'branded'),
       (3, 1, NULL, 'tested', 'https://example.com/own', NULL, '[{"url":"https://example.com/a","percentage":100}]', NULL, 0,
         NULL, '[]', 0, 0, 30, 30, NULL, 'tested'),
       (4, 1, NULL, 'app', 'https://example.com/app', NULL, '[]',
         '{"auto":true,"apple":"https://apps.apple.com/app/id1"}', 0, NULL, '[]', 0, 0, 40, 40, NULL, 'app'),
       (5, 1, NULL, 'binned', 'https://example.com/binned', NULL, '[]', NULL, 0, NULL, '[]', 0, 0, 50, 50, ${at}, 'binned');
     INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES
       (0, 'plain', 'link', 1), (1, 'branded', 'link', 2), (0, 'tested', 'link', 3), (0, 'app', 'link', 4),
       (0, 'anna', 'bio', 1);
     INSERT INTO link_channels (channel_id, link_id) VALUES (2, 1);
     INSERT INTO bio_pages (id, user_id, alias, name, theme, blocks, next_block, search, created_at) VALUES
       (1, 1, 'anna', 'Anna', 'light', '[{"id":1,"type":"link","enabled":true,"title":"Shop","url":"https://example.com/shop"}]', 2,
         'anna', 0);
     INSERT INTO qr_codes (id, user_id, alias, name, type, data, link_id, dynamic, style, search, created_at) VALUES
       (1, 1, 'code', 'Code', 'link', '{"url":"https://example.com/scanned"}', NULL, 1, '{}', 'code', 0);
     INSERT INTO orphan_visits (at, domain_id, path, referrer, bot) VALUES (${at}, 1, '/summer', '', 0);
     INSERT INTO words (id, word) VALUES (101, 'DE'), (102, 'Chrome'), (103, 'Windows'), (104, 'Desktop'), (105, 'mail');`,
  );
  const click = main.prepare(
    `INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser, os, device,
       language, utm_source, utm_medium, utm_campaign) VALUES (1, ?, ?, 0, 0, 101, 0, 0, 0, 0, 102, 103, 104, 0, 105, 0, 0)`,
  );
  for (const visitor of [11, 11, 12, 13]) click.run(at, visitor);
  const counted = main.prepare('INSERT INTO rollups VALUES (?, 1, ?, ?, ?, 2, 1, 0)');
  // By dimension: in all, country, browser, system, device and utm_source.
  const words = { 0: 0, 1: 101, 4: 102, 5: 103, 6: 104, 9: 105 };
  for (const scope of [0, 1]) {
    for (const [dimension, word] of Object.entries(words)) counted.run(scope, Number(dimension), hour, word);
  }
  counted.run(1, 12, hour, 1);
  main.exec(
    `INSERT INTO link_clicks (link_id, click_id) VALUES (1, 1), (1, 2);
     INSERT INTO visitors (day, scope, scope_id, visitor) VALUES (${Math.floor(hour / 24)}, 0, 1, 11), (${Math.floor(hour / 24)}, 1, 1, 11);
     UPDATE rollup_position SET position = 2;`,
  );
  databases.close();
}
