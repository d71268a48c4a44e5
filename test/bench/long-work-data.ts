import { createHash } from 'node:crypto';
import { type Connection, connect } from '../../server/platform/database/connect.ts';
import { dropTrigger } from './drop-trigger.ts';

/** Aliases that no operation of the benchmark changes. */
export const stayingLinks = 500;
/** The API key of an empty account. */
export const emptyAccountKey = 'wp_bench-of-an-empty-account';

interface Sizes {
  /** Links of the second account, which is deleted. */
  account: number;
  /** Links of a campaign, a channel and a pixel. */
  grouped: number;
  /** Links that a bulk action goes over. */
  bulk: number;
  /** Links on a domain, and how many of their aliases are taken on the instance's address. */
  domain: number;
  conflicts: number;
  /** Clicks of one link. */
  clicks: number;
  /** Answers to an overlay. */
  answers: number;
  /** Messages of a bio page. */
  messages: number;
}

const sizes: Sizes = {
  account: 100_000,
  grouped: 100_000,
  bulk: 36_000,
  domain: 33_000,
  conflicts: 3_000,
  clicks: 500_000,
  answers: 100_000,
  messages: 20_000,
};

/** Fills the database of a stopped server directly by SQL. Returns the id of the link that has all the clicks. */
export function fill(file: string, now: number): { clickedLink: number } {
  const database = connect(file, 'NORMAL');
  try {
    database.pragma('synchronous = OFF');
    return database.transaction(() => fillAll(database, now))();
  } finally {
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  }
}

function fillAll(database: Connection, now: number): { clickedLink: number } {
  const trigger = dropTrigger(database, 'links_search_insert');
  addAccount(database, 2, 'bert', now);
  addAccount(database, 3, 'cora', now);
  const hash = createHash('sha256').update(emptyAccountKey).digest();
  database
    .prepare(
      "INSERT INTO keys (user_id, kind, name, hash, prefix, created_at) VALUES (3, 'custom', 'bench', ?, 'wp_bench', ?)",
    )
    .run(hash, now);
  database.exec(`
    INSERT INTO campaigns (id, user_id, name, name_folded, slug, created_at) VALUES
      (1, 1, 'Bulk', 'bulk', 'bulk', ${now}), (2, 1, 'Grouped', 'grouped', 'grouped', ${now});
    INSERT INTO channels (id, user_id, name, name_folded, created_at) VALUES (1, 1, 'Grouped', 'grouped', ${now});
    INSERT INTO pixels (id, user_id, type, name, tag, created_at) VALUES (1, 1, 'gtmpixel', 'Grouped', 'GTM-1', ${now});
    INSERT INTO domains (id, user_id, host, active, server_synced, dns_status, created_at)
      VALUES (1, 1, 'go.example.com', 1, 1, 1, ${now});
    INSERT INTO overlays (id, user_id, name, type, position, colors, content, created_at)
      VALUES (1, 1, 'Poll', 'newsletter', 'bottomright', '{}', '{"title":"a","button":"b"}', ${now});
    INSERT INTO bio_pages (id, user_id, alias, name, theme, search, created_at)
      VALUES (1, 1, 'about', 'About', 'light', 'about', ${now});
    INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (0, 'about', 'bio', 1);`);
  addLinks(database, { user: 1, count: stayingLinks, prefix: 'stay', now });
  addLinks(database, { user: 1, count: 2, prefix: 'clicked', now });
  const clickedLink = Number(
    database.prepare("SELECT target_id FROM aliases WHERE alias = 'clicked1'").pluck().get(),
  );
  addLinks(database, { user: 1, count: sizes.bulk, prefix: 'bulk', campaign: 1, now });
  addLinks(database, { user: 1, count: sizes.grouped, prefix: 'group', campaign: 2, pixels: '[1]', now });
  database.exec(
    'INSERT INTO link_channels (channel_id, link_id) SELECT 1, id FROM links WHERE campaign_id = 2',
  );
  // A prefix of maximum length, so that every new name begins the same.
  const stem = 'x'.repeat(72);
  addLinks(database, { user: 1, count: sizes.conflicts, prefix: stem, now });
  addLinks(database, { user: 1, count: sizes.conflicts, prefix: stem, domain: 1, now });
  addLinks(database, { user: 1, count: sizes.domain - sizes.conflicts, prefix: 'dom', domain: 1, now });
  addLinks(database, { user: 2, count: sizes.account, prefix: 'bert', now });
  addClicks(database, clickedLink, now);
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sizes.answers})
      INSERT INTO overlay_answers (overlay_id, sender, value, at)
      SELECT 1, 'reader' || i || '@example.com', 'reader' || i || '@example.com', ${now} FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sizes.messages})
      INSERT INTO bio_messages (bio_id, block, name, email, message, at)
      SELECT 1, 1, 'Reader', 'reader@example.com', 'A message of some length, as people write them. ' || i, ${now} FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
      INSERT INTO bio_counts (bio_id, hour, block, visits) SELECT 1, 490000 - i / 5, i % 5, 3 FROM n;
    ${trigger};
    INSERT INTO links_search (links_search) VALUES ('rebuild');
    -- Or the server would merge the parts of the index beside the first operations, which have no share in it.
    INSERT INTO links_search (links_search) VALUES ('optimize');`);
  return { clickedLink };
}

function addAccount(database: Connection, id: number, name: string, now: number): void {
  database
    .prepare(
      `INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
       VALUES (@id, @email, @email, @name, @name, 'none', 2, @now, 'UTC')`,
    )
    .run({ id, email: `${name}@example.com`, name, now });
}

interface Group {
  user: number;
  count: number;
  prefix: string;
  campaign?: number;
  domain?: number;
  pixels?: string;
  now: number;
}

function addLinks(database: Connection, { user, count, prefix, now, ...more }: Group): void {
  const { campaign = null, domain = null, pixels = '[]' } = more;
  const first = Number(database.prepare('SELECT ifnull(max(id), 0) + 1 FROM links').pluck().get());
  const bound = { user, count, prefix, now, campaign, domain, pixels, first };
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @count - 1)
       INSERT INTO links (id, user_id, domain_id, alias, url, title, campaign_id, pixels, created_at, updated_at, search)
       SELECT @first + i, @user, @domain, @prefix || i, 'https://example.com/page/' || i, 'Page ' || i, @campaign, @pixels,
         @now - i, @now, @prefix || i || char(10) || 'page ' || i || char(10) || 'https://example.com/page/' || i FROM n`,
    )
    .run(bound);
  database
    .prepare(
      `INSERT INTO aliases (domain_id, alias, kind, target_id)
       SELECT ifnull(domain_id, 0), alias, 'link', id FROM links WHERE id >= @first`,
    )
    .run({ first });
}

/** Clicks of one link over a year, already counted: the log, its index, the counts by hour and yesterday's visitors. */
function addClicks(database: Connection, link: number, now: number): void {
  const bound = { link, now, count: sizes.clicks };
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
       INSERT INTO clicks (id, link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
         os, device, language, utm_source, utm_medium, utm_campaign)
       SELECT i, @link, @now - (@count - i) * 60000, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`,
    )
    .run(bound);
  database.prepare('INSERT INTO link_clicks (link_id, click_id) SELECT link_id, id FROM clicks').run();
  database
    .prepare(
      `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots)
       SELECT scope, iif(scope = 0, @link, 1), 0, at / 3600000, 0, count(*), count(*), 0
       FROM clicks CROSS JOIN (SELECT 0 AS scope UNION ALL SELECT 1) GROUP BY scope, at / 3600000`,
    )
    .run({ link });
  database
    .prepare(
      `INSERT INTO visitors (day, scope, scope_id, visitor)
       SELECT cast(@now AS INTEGER) / 86400000, 0, id % 1000, id FROM clicks WHERE id <= 200000`,
    )
    .run({ now });
  database
    .prepare(
      `INSERT INTO click_hours (hour, first, last) SELECT at / 3600000, min(id), max(id) FROM clicks GROUP BY at / 3600000`,
    )
    .run();
  database.prepare('UPDATE rollup_position SET position = (SELECT max(id) FROM clicks)').run();
  database.prepare('UPDATE links SET clicks = @count WHERE id = @link').run({ link, count: sizes.clicks });
}
