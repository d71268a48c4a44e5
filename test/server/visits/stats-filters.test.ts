import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addCampaign, assignCampaign, getCampaignStats } from '../../../server/contract/campaigns.ts';
import { addChannel, assignChannel } from '../../../server/contract/channels.ts';
import { loggedDimensions } from '../../../server/contract/dimensions.ts';
import { addLink } from '../../../server/contract/links.ts';
import { getLinkStats, getStats } from '../../../server/contract/stats.ts';
import { hourMs } from '../../../server/visits/clicks/dimensions.ts';
import { columnStore } from '../../../server/visits/stats/column-store.ts';
import { statsReader } from '../../../server/visits/stats/stats-reader.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { secondAccount } from '../../support/second-account.ts';
import { times } from '../../support/trials.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'], ratelimit: 100_000 });
});
afterEach(() => server.close());

async function makeLink(custom: string): Promise<number> {
  return (await server.call(addLink, { body: { url: `https://example.com/${custom}`, custom } })).id;
}

const berlin = '217.160.0.1';
const google = '8.8.8.8';
const from = (address: string, headers = {}) => ({ headers: { 'X-Forwarded-For': address, ...headers } });
const statsOf = async (id: number, query = {}) =>
  (await server.call(getLinkStats, { params: { id }, query })).data;
const values = (words: { value: string; clicks: number }[] | undefined) =>
  words?.map(({ value, clicks }) => [value, clicks]);

describe('filters of statistics', () => {
  test('count the clicks that have one of the values of each dimension', async () => {
    const id = await makeLink('filtered');
    await visit(server, '/filtered', from(berlin));
    await visit(server, '/filtered', { ...from(berlin), agent: 'iphone' });
    await visit(server, '/filtered', from(google, { Referer: 'https://news.example/' }));
    await visit(server, '/filtered', { ...from(google), agent: 'previewBot' });
    await visit(server, '/filtered', from('10.0.0.1'));

    expect(await statsOf(id, { country: 'DE' })).toMatchObject({ clicks: 2, uniqueclicks: 2, bots: 0 });
    expect(await statsOf(id, { country: ['DE', 'US'] })).toMatchObject({ clicks: 3, bots: 1 });
    expect(await statsOf(id, { country: ['DE', 'US'], bots: '1' })).toMatchObject({ clicks: 4 });
    expect(await statsOf(id, { country: ['DE', 'US'], device: 'Mobile' })).toMatchObject({ clicks: 1 });
    expect(await statsOf(id, { country: 'DE', referrer: 'news.example' })).toMatchObject({ clicks: 0 });
    expect(await statsOf(id, { source: 'link', os: 'Windows' })).toMatchObject({ clicks: 3 });
    expect(await statsOf(id, { source: 'qr' })).toMatchObject({ clicks: 0 });
    expect(await statsOf(id, { country: 'no such word' })).toMatchObject({ clicks: 0 });
    // An empty value is the unknown one.
    expect(await statsOf(id, { country: [''] })).toMatchObject({ clicks: 1, filteredsince: null });
    expect(await statsOf(id)).not.toHaveProperty('filteredsince');
  });

  test('accept continents, which consist of their countries', async () => {
    const id = await makeLink('continents');
    for (const address of [berlin, google, google, '10.0.0.1'])
      await visit(server, '/continents', from(address));
    expect(values((await statsOf(id)).dimensions.continent)).toEqual([
      ['NA', 2],
      ['EU', 1],
      ['', 1],
    ]);
    const european = await statsOf(id, { continent: 'EU' });
    expect(european.clicks).toBe(1);
    expect(values(european.dimensions.country)).toEqual([['DE', 1]]);
    // What else could be chosen.
    expect(values(european.dimensions.continent)?.length).toBe(3);
    expect(await statsOf(id, { continent: ['EU', ''] })).toMatchObject({ clicks: 2 });
    expect(await statsOf(id, { continent: 'EU', country: ['DE', 'US'] })).toMatchObject({ clicks: 1 });
    expect(await statsOf(id, { continent: 'EU', country: 'US' })).toMatchObject({ clicks: 0 });
    expect(await statsOf(id, { continent: 'no such continent' })).toMatchObject({ clicks: 0 });
    expect((await server.call(getStats, { query: { continent: 'NA' } })).data).toMatchObject({ clicks: 2 });
  });

  test('show what else of a dimension could be selected', async () => {
    const id = await makeLink('facets');
    await visit(server, '/facets', from(berlin));
    await visit(server, '/facets', from(google));
    await visit(server, '/facets', { ...from(google), agent: 'iphone' });
    const { dimensions } = await statsOf(id, { country: 'US', device: 'Mobile' });
    expect(values(dimensions.country)).toEqual([['US', 1]]);
    expect(values(dimensions.device)).toEqual([
      ['Desktop', 1],
      ['Mobile', 1],
    ]);
    expect(values(dimensions.os)).toEqual([['iOS', 1]]);
    expect(values((await statsOf(id, { country: 'DE' })).dimensions.country)).toEqual([
      ['US', 2],
      ['DE', 1],
    ]);
  });

  test('work on the account, a campaign, a channel, a domain and a member, and list the top links', async () => {
    const [first, second] = [await makeLink('first'), await makeLink('second')];
    for (const path of ['/first', '/second', '/second']) await visit(server, path, from(berlin));
    await visit(server, '/first', from(google));
    const campaign = (await server.call(addCampaign, { body: { name: 'Autumn' } })).id;
    await server.call(assignCampaign, { params: { campaignid: campaign, linkid: second } });
    const channel = (await server.call(addChannel, { body: { name: 'News' } })).id;
    await server.call(assignChannel, { params: { channelid: channel, type: 'links', itemid: first } });

    const all = async (query: object) => (await server.call(getStats, { query })).data;
    const shown = await all({ country: 'DE' });
    // One visitor of two links is one of the account.
    expect(shown).toMatchObject({ clicks: 3, uniqueclicks: 1, links: 2 });
    expect(shown.toplinks.map(({ id, clicks }) => [id, clicks])).toEqual([
      [second, 2],
      [first, 1],
    ]);
    expect(await all({ campaign })).toMatchObject({ clicks: 2, links: 1 });
    expect(await all({ campaign, country: 'US' })).toMatchObject({ clicks: 0, toplinks: [] });
    expect(await all({ channel, country: ['US', 'DE'] })).toMatchObject({ clicks: 2, uniqueclicks: 2 });
    expect(await all({ domain: server.origin, country: 'DE' })).toMatchObject({ clicks: 3, uniqueclicks: 2 });
    expect(await all({ member: 1, country: 'DE' })).toMatchObject({ clicks: 3 });
    expect(await all({ member: 2, country: 'DE' })).toMatchObject({ clicks: 0, links: 0 });
    expect(
      (await server.call(getCampaignStats, { params: { id: campaign }, query: { country: 'DE' } })).data,
    ).toMatchObject({ clicks: 2, uniqueclicks: 1 });
    await expect(all({ domain: 'elsewhere.example' })).rejects.toMatchObject({
      status: 400,
      field: 'domain',
    });
  });

  test('count nobody else’s clicks', async () => {
    const bert = secondAccount(server);
    await bert.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'berts' } });
    await visit(server, '/berts', from(berlin));
    await makeLink('mine');
    await visit(server, '/mine', from(berlin));
    const read = async (as: Pick<typeof bert, 'request'>, query: string) =>
      (await as.request('GET', `/api/stats?${query}`)).body.data;
    expect((await read(bert, 'country=DE')).clicks).toBe(1);
    expect((await read(server, 'country=DE')).clicks).toBe(1);
    const campaign = (await server.call(addCampaign, { body: { name: 'Mine' } })).id;
    expect((await read(bert, `country=DE&campaign=${campaign}`)).clicks).toBe(0);
  });

  test('include new clicks, and exclude those that leave the log', async () => {
    const id = await makeLink('kept');
    await visit(server, '/kept', from(berlin));
    expect((await statsOf(id, { country: 'DE' })).clicks).toBe(1);
    server.clock.advance(3 * 86_400_000);
    await visit(server, '/kept', from(berlin));
    expect(await statsOf(id, { country: 'DE' })).toMatchObject({ clicks: 2, filteredsince: null });
    // As the retention job deletes what is too old.
    server.databases.main.prepare('DELETE FROM clicks WHERE id = 1').run();
    server.databases.main.prepare('DELETE FROM link_clicks WHERE click_id = 1').run();
    expect(await statsOf(id, { country: 'DE' })).toMatchObject({
      clicks: 1,
      filteredsince: '2027-01-18 12:00:00',
    });
    expect((await statsOf(id)).clicks).toBe(2);
  });

  test('compare with the previous period, interval by interval', async () => {
    const id = await makeLink('compared');
    await visit(server, '/compared', from(berlin));
    server.clock.advance(7 * 86_400_000);
    await visit(server, '/compared', from(berlin));
    for (const query of [{}, { country: 'DE' }]) {
      const { previous, series } = await statsOf(id, { ...query, period: '7d', compare: 'previous' });
      expect(series.map(({ clicks }) => clicks)).toEqual([0, 0, 0, 0, 0, 0, 1]);
      expect(previous?.series?.map(({ clicks }) => clicks)).toEqual([0, 0, 0, 0, 0, 0, 1]);
      expect(previous?.series?.at(-1)?.at).toBe('2027-01-15 00:00:00');
    }
    expect((await statsOf(id, { period: '7d' })).previous).not.toHaveProperty('series');
  });

  test('compare with any other period, even one that overlaps', async () => {
    const id = await makeLink('chosen');
    for (let day = 0; day < 8; day += 1) {
      await visit(server, '/chosen', from(berlin));
      server.clock.advance(86_400_000);
    }
    const daysAgo = (days: number) =>
      new Date(server.clock.now() - days * 86_400_000).toISOString().slice(0, 10);
    const shown = { from: daysAgo(4), to: daysAgo(1) };
    for (const query of [shown, { ...shown, country: 'DE' }]) {
      const counted = async (comparefrom: string, compareto?: string) => {
        const { previous, clicks } = await statsOf(id, { ...query, comparefrom, compareto });
        expect(clicks).toBe(4);
        return [previous?.clicks, previous?.series?.length, previous?.from?.slice(0, 10)];
      };
      expect(await counted(daysAgo(10))).toEqual([2, 4, daysAgo(10)]);
      expect(await counted(daysAgo(6))).toEqual([4, 4, daysAgo(6)]);
      expect(await counted(daysAgo(6), daysAgo(2))).toEqual([5, 5, daysAgo(6)]);
      expect(await counted(daysAgo(2), daysAgo(0))).toEqual([2, 3, daysAgo(2)]);
    }
    expect((await statsOf(id, shown)).previous).not.toHaveProperty('from');
  });

  test('are refused if there are too many', async () => {
    const id = await makeLink('many');
    const country = Array.from({ length: 21 }, (_, index) => `C${index}`);
    await expect(statsOf(id, { country })).rejects.toMatchObject({ status: 400, field: 'country' });
    await expect(statsOf(id, { referrer: 'x'.repeat(201) })).rejects.toMatchObject({ status: 400 });
  });
});

describe('columns of clicks', () => {
  const random = seededIntegers(11);
  const start = Date.UTC(2027, 0, 1);
  const hours = 24 * 6;

  /** Clicks of some links over six days, counted as the catch-up does, but at once. */
  function addClicks(many: number, links: number[], from = 0, to = hours): void {
    const add = server.databases.main.prepare(
      `INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser, os,
         device, language, utm_source, utm_medium, utm_campaign)
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const count = server.databases.main.prepare(
      `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots) VALUES (1, 1, ?, ?, ?, ?, 0, ?)
       ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks, bots = bots + excluded.bots`,
    );
    server.databases.main.exec('BEGIN');
    for (let index = 0; index < many; index += 1) {
      const at = start + from * hourMs + Math.floor((index * (to - from) * hourMs) / many);
      const link = links[random(links.length)] as number;
      const bot = random(6) === 0 ? 1 : 0;
      const words = Array.from({ length: 10 }, () => random(4));
      const { lastInsertRowid } = add.run(link, at, 1 + random(40), random(5), bot, ...words);
      server.databases.main
        .prepare('INSERT INTO link_clicks (link_id, click_id) VALUES (?, ?)')
        .run(link, lastInsertRowid);
      const hour = Math.floor(at / hourMs);
      for (const [dimension, word] of [
        [0, 0],
        [12, link],
      ] as const)
        count.run(dimension, hour, word, 1 - bot, bot);
    }
    server.databases.main.exec(`
      INSERT OR REPLACE INTO click_hours (hour, first, last)
        SELECT at / ${hourMs}, min(id), max(id) FROM clicks GROUP BY at / ${hourMs};
      COMMIT; UPDATE rollup_position SET position = (SELECT max(id) FROM clicks)`);
  }

  /**
   * The same, counted by SQL: a visitor's first click of a UTC day among those that pass is a unique one, but for
   * visitor 0, of whom only counts are kept.
   */
  function summed(scope: string, condition: string, column: string, [from, to]: readonly [number, number]) {
    return server.databases.main
      .prepare(
        `WITH passed AS (
           SELECT *, bot = 0 AND visitor <> 0 AND row_number() OVER (
             PARTITION BY bot, at / 86400000, visitor${scope === 'link' ? ', link_id' : ''} ORDER BY id) = 1 AS first
           FROM clicks WHERE ${condition})
         SELECT ${column} AS word, sum(bot = 0) AS clicks, sum(first) AS uniqueClicks, sum(bot) AS bots
         FROM passed WHERE at >= ${from * hourMs} AND at < ${to * hourMs}
         GROUP BY word HAVING sum(bot = 0) > 0 ORDER BY clicks DESC, word`,
      )
      .all();
  }

  test('match SQL counts, with any filter, in one log or by lists of links', async () => {
    const links = [await makeLink('a'), await makeLink('b'), await makeLink('c')];
    const first = start / hourMs;
    const columns = loggedDimensions.map((name) => name as string);
    const filters = [
      { sql: 'true', chosen: [] },
      { sql: 'country IN (1, 2)', chosen: [{ dimension: columns.indexOf('country'), words: [1, 2] }] },
      {
        sql: 'country = 3 AND source IN (0, 4) AND browser = 1',
        chosen: [
          { dimension: columns.indexOf('country'), words: [3] },
          { dimension: columns.indexOf('browser'), words: [1] },
          { dimension: columns.indexOf('source'), words: [0, 4] },
        ],
      },
    ];
    const store = columnStore(server.databases.main);
    const linkIds = JSON.stringify(links.slice(0, 2));
    const scopes = [
      { name: 'user', subject: { userId: 1 }, of: 'true' },
      { name: 'link', subject: { linkIds }, of: `link_id IN (SELECT value FROM json_each('${linkIds}'))` },
    ] as const;
    addClicks(times({ short: 4_000, long: 20_000 }), links);
    for (const later of [0, 1, 2]) {
      // What comes after a question is in the answer to the next one.
      if (later === 1) addClicks(3_000, links, hours, hours + 24);
      // An edge of a fleet ships what it answered two days before.
      if (later === 2) addClicks(500, links, hours - 48, hours - 24);
      for (const { name, subject, of } of scopes) {
        for (const { sql, chosen } of filters) {
          // Days of a zone that is five hours and a half away: they begin in the middle of a UTC day.
          const span = [first + 29, first + 29 + 6 * 24] as const;
          const intervals = [0, 1, 2, 3, 4, 5].map(
            (day) => [span[0] + day * 24, span[0] + (day + 1) * 24] as const,
          );
          const previous = [[span[0] - 24, span[0]]] as const;
          const answer = store.count({
            subject,
            filters: chosen,
            intervals,
            previous,
            withBots: false,
            mostValues: 50,
            mostLinks: 50,
          });
          const all = `${of} AND ${sql}`;
          expect(answer.links, `${later} ${name} ${sql}`).toEqual(summed(name, all, 'link_id', span));
          expect(answer.words[columns.indexOf('city')]).toEqual(summed(name, all, 'city', span));
          const [before] = summed(name, all, '0', previous[0]) as object[];
          expect({ word: 0, ...answer.previous[0] }).toEqual(before);
          const others = sql.replace(/country (=|IN) (\d|\([^)]*\))/, 'true');
          expect(answer.words[columns.indexOf('country')]).toEqual(
            summed(name, `${of} AND ${others}`, 'country', span),
          );
          for (const [index, interval] of intervals.entries()) {
            const nothing = { word: 0, clicks: 0, uniqueClicks: 0, bots: 0 };
            const [day = nothing] = summed(name, all, '0', interval) as object[];
            expect({ word: 0, ...answer.series[index] }).toEqual(day);
          }
        }
      }
    }
  });

  test('hold no more clicks than their limit, the newest ones', async () => {
    const link = await makeLink('bounded');
    addClicks(6_000, [link]);
    const first = start / hourMs;
    const intervals = [[first, first + hours]] as const;
    for (const subject of [{ userId: 1 }, { linkIds: JSON.stringify([link]) }]) {
      const { series, firstHour } = columnStore(server.databases.main, 1_000).count({
        subject,
        filters: [],
        intervals,
        previous: [],
        withBots: true,
        mostValues: 1,
        mostLinks: 1,
      });
      const [{ clicks, bots } = { clicks: 0, bots: 0 }] = series;
      expect(clicks + bots).toBeLessThan(2_100);
      expect(clicks + bots).toBeGreaterThan(900);
      expect(firstHour).toBeGreaterThan(first + 90);
    }
  });

  test('are read in parts, so that other reads and the write-ahead log do not wait for all of them', async () => {
    addClicks(20_000, [await makeLink('apart')]);
    const reader = statsReader(server.databases.file);
    try {
      const order: string[] = [];
      const first = start / hourMs;
      const filtered = reader.filtered({
        subject: { userId: 1 },
        filters: [],
        intervals: [[first, first + hours]],
        previous: [],
        withBots: true,
        mostValues: 1,
        mostLinks: 1,
      });
      const read = reader.read([{ sql: 'SELECT 1 AS one', values: [] }]);
      const [{ links }] = await Promise.all([
        filtered.finally(() => order.push('filtered')),
        read.finally(() => order.push('read')),
      ]);
      expect(order).toEqual(['read', 'filtered']);
      expect((links[0]?.clicks ?? 0) + (links[0]?.bots ?? 0)).toBe(20_000);
    } finally {
      await reader.close();
    }
  });

  test('are kept in little memory, however many subjects have few clicks', async () => {
    const link = await makeLink('few');
    addClicks(10, [link]);
    const store = columnStore(server.databases.main);
    const before = process.memoryUsage().arrayBuffers;
    for (let other = 1; other <= 600; other += 1) {
      const { series } = store.count({
        subject: { linkIds: JSON.stringify([link, -other]) },
        filters: [],
        intervals: [[start / hourMs, start / hourMs + hours]],
        previous: [],
        withBots: true,
        mostValues: 1,
        mostLinks: 1,
      });
      expect((series[0]?.clicks ?? 0) + (series[0]?.bots ?? 0)).toBe(10);
    }
    // All of them together would take 180 MB, and what is not kept is garbage for a while.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120e6);
  });

  test('are read ahead in parts', async () => {
    addClicks(5_000, [await makeLink('ahead')]);
    const store = columnStore(server.databases.main);
    const wish = { subject: { userId: 1 }, from: start / hourMs };
    expect([store.warm(wish), store.warm(wish), store.warm(wish)]).toEqual([false, false, true]);
  });
});
