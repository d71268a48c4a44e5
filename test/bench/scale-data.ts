import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type Connection, connect } from '../../server/platform/database/connect.ts';
import { dropTrigger } from './drop-trigger.ts';

/** Links that visitors follow during each operation. */
export const followedLinks = 500;
/** A word in every link's destination, and one in a thousandth of their titles. */
export const commonWord = 'example';
export const rareWord = 'harvest';

const hourMs = 3_600_000;
const year = 365 * 24 * hourMs;

/**
 * Fills the database of a stopped server directly by SQL: `count` links of one account, created over a year, with ten
 * times as many clicks of the same year, already counted. Few links get many clicks and most get few; a tenth of all
 * are in one campaign.
 */
export function fillAtScale(file: string, count: number, now: number): void {
  const database = connect(file, 'NORMAL');
  try {
    database.pragma('synchronous = OFF');
    database.pragma('cache_size = -400000');
    database.pragma('temp_store = MEMORY');
    database.transaction(() => {
      addLinks(database, count, now);
      addClicks(database, count, count * 10, now);
    })();
  } finally {
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  }
  // Otherwise the system would write all of it while the server is being measured.
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A pseudo-random number from 0 to 1 for an integer. */
const random = (of: string) => `(((${of}) * 2654435761 % 4294967296) / 4294967296.0)`;

function addLinks(database: Connection, count: number, now: number): void {
  const trigger = dropTrigger(database, 'links_search_insert');
  const groups = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)`;
  database.exec(`
    ${groups} INSERT INTO campaigns (id, user_id, name, name_folded, slug, created_at)
      SELECT i, 1, 'Campaign ' || i, 'campaign ' || i, 'campaign' || i, ${now} FROM n;
    ${groups} INSERT INTO channels (id, user_id, name, name_folded, created_at)
      SELECT i, 1, 'Channel ' || i, 'channel ' || i, ${now} FROM n;`);
  const title = `iif(i % 1000 = 7, 'Harvest ', 'Page ') || (i * 7919 % cast(@count AS INTEGER))`;
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
       INSERT INTO links (id, user_id, alias, url, title, campaign_id, archived, expires_at, trashed_at, created_at, updated_at,
         search)
       SELECT i, 1, 'scale' || i, 'https://example.com/page/' || i, ${title},
         iif(i % 2 = 0, 1 + cast(200 * pow(${random('i')}, 3) AS INTEGER), NULL), i % 20 = 3 AND i > ${followedLinks},
         iif(i % 20 = 5 AND i > ${followedLinks}, @now + (i % 1000 - 500) * ${hourMs}, NULL),
         iif(i % 100 = 9 AND i > ${followedLinks}, @now, NULL),
         @now - ${year} + cast(i * (${year}.0 / @count) AS INTEGER), @now,
         'scale' || i || char(10) || lower(${title}) || char(10) || 'https://example.com/page/' || i || char(10) FROM n`,
    )
    .run({ count, now });
  database.exec(`
    INSERT INTO aliases (domain_id, alias, kind, target_id)
      SELECT 0, alias, 'link', id FROM links WHERE trashed_at IS NULL ORDER BY alias;
    INSERT INTO link_channels (channel_id, link_id)
      SELECT 1 + cast(200 * pow(${random('id + 17')}, 3) AS INTEGER) AS channel, id FROM links WHERE id % 3 = 0
      ORDER BY channel, id;
    ${trigger};
    INSERT INTO links_search (links_search) VALUES ('rebuild');`);
}

/** Dimensions of the roll-ups by number, with the number of values of each, and the column of the click. */
const dimensions = [
  [1, 'country', 40],
  [2, 'city', 300],
  [3, 'referrer', 50],
  [4, 'browser', 6],
  [5, 'os', 5],
  [6, 'device', 5],
  [7, 'language', 20],
] as const;

function addClicks(database: Connection, links: number, count: number, now: number): void {
  const words = dimensions.flatMap(([, name, size]) =>
    Array.from({ length: size }, (_, i) => `${name} ${i}`),
  );
  const addText = database.prepare('INSERT INTO words (id, word) VALUES (?, ?)');
  for (const [index, word] of words.entries()) addText.run(index + 1, word);
  let first = 1;
  const columns = dimensions.map(([number, , size]) => {
    const column = `${first} + cast(${size} * pow(${random(`i * ${2 * number + 1}`)}, 2) AS INTEGER)`;
    first += size;
    return column;
  });
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
       INSERT INTO clicks (id, link_id, at, visitor, source, bot, country, city, referrer, browser, os, device, language,
         region, referrer_path, utm_source, utm_medium, utm_campaign)
       SELECT i, 1 + cast(@links * pow(${random('i * 31')}, 3) AS INTEGER),
         @now - ${year} + cast(i * (${year}.0 / @count) AS INTEGER), i, 0, i % 50 = 0, ${columns.join(', ')}, 0, 0, 0, 0, 0
       FROM n`,
    )
    .run({ links, count, now });
  const figures = 'count(*) FILTER (WHERE bot = 0), count(*) FILTER (WHERE bot = 0), sum(bot)';
  const into = 'INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots)';
  database.exec(`
    INSERT INTO link_clicks (link_id, click_id) SELECT link_id, id FROM clicks ORDER BY link_id, id;
    ${into} SELECT 0, link_id, 0, at / ${hourMs}, 0, ${figures} FROM clicks GROUP BY link_id, at / ${hourMs};
    ${into} SELECT 1, 1, 0, at / ${hourMs}, 0, ${figures} FROM clicks GROUP BY at / ${hourMs};
    ${dimensions
      .map(
        ([number, name]) =>
          `${into} SELECT 1, 1, ${number}, at / ${hourMs}, ${name}, ${figures} FROM clicks GROUP BY at / ${hourMs}, ${name};`,
      )
      .join('\n')}
    ${into} SELECT 1, 1, 12, at / ${hourMs}, link_id, ${figures} FROM clicks GROUP BY at / ${hourMs}, link_id;
    INSERT INTO click_hours (hour, first, last)
      SELECT at / ${hourMs}, min(id), max(id) FROM clicks GROUP BY at / ${hourMs};
    UPDATE rollup_position SET position = (SELECT max(id) FROM clicks);
    UPDATE links SET clicks = counted.clicks, unique_clicks = counted.clicks, clicked_at = counted.at
      FROM (SELECT link_id, count(*) FILTER (WHERE bot = 0) AS clicks, max(at) AS at FROM clicks GROUP BY link_id) AS counted
      WHERE counted.link_id = links.id;`);
}
