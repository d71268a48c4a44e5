import { afterEach, beforeEach, expect, test } from 'vitest';
import { dimensions } from '../../../server/visits/clicks/dimensions.ts';
import { type SumsQuestion, valueSums } from '../../../server/visits/stats/value-sums.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

const random = seededIntegers(7);

/** Counts clicks of an hour as the catch-up does. */
function count(hour: number, word: number, clicks: number, bots = 0): void {
  const add = server.databases.main.prepare(
    `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots) VALUES (1, 1, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks, unique_clicks = unique_clicks + excluded.unique_clicks,
       bots = bots + excluded.bots`,
  );
  add.run(dimensions.city, hour, word, clicks, clicks, bots);
  add.run(0, hour, 0, clicks, clicks, bots);
}

/** The same, summed by SQL. */
function summed({ from, to, withBots, most }: SumsQuestion) {
  return server.databases.main
    .prepare(
      `SELECT word, sum(clicks) AS clicks, sum(unique_clicks) AS uniqueClicks, sum(bots) AS bots FROM rollups
       WHERE scope = 1 AND scope_id = 1 AND dimension = ? AND hour >= ? AND hour < ?
       GROUP BY word HAVING sum(clicks) + ? * sum(bots) > 0 ORDER BY sum(clicks) + ? * sum(bots) DESC, word LIMIT ?`,
    )
    .all(dimensions.city, from, to, withBots ? 1 : 0, withBots ? 1 : 0, most);
}

test('the most frequent values of a period are those of all its hours, also as clicks arrive late', () => {
  const sums = valueSums(server.databases.main).best;
  for (let turn = 0; turn < 2000; turn += 1)
    count(random(100), 1 + random(60) * random(60), 1 + random(3), random(3));
  for (let turn = 0; turn < 60; turn += 1) {
    // Today's, and now and then one of a day that is long over.
    count(turn % 5 === 0 ? random(72) : 72 + random(28), 1 + random(4000), 1 + random(50), random(2));
    const question = {
      userId: 1,
      dimension: dimensions.city,
      from: 10,
      to: 100,
      past: 72,
      latest: 72 + (turn % 28),
      withBots: turn % 2 === 0,
      most: 20,
    };
    const { rows, all } = sums(question);
    expect(rows).toEqual(summed(question));
    const everything = summed({ ...question, withBots: true, most: -1 }) as (typeof rows)[number][];
    expect(all.clicks).toBe(everything.reduce((sum, { clicks }) => sum + clicks, 0));
    expect(all.bots).toBe(everything.reduce((sum, { bots }) => sum + bots, 0));
  }
});

test('partial counts are not cached', () => {
  const sums = valueSums(server.databases.main).best;
  const question = {
    userId: 1,
    dimension: dimensions.city,
    from: 0,
    to: 100,
    past: 72,
    latest: 90,
    withBots: false,
    most: 5,
  };
  // A click of a past hour waits to be counted, and its hour has its total already.
  server.databases.main.exec(
    `INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser, os, device,
       language, utm_source, utm_medium, utm_campaign) VALUES (1, 5, 1, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0);
     INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots) VALUES (1, 1, 0, 0, 0, 1, 1, 0)`,
  );
  expect(sums(question).rows).toEqual([]);
  server.databases.main.exec(
    `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots) VALUES (1, 1, 2, 0, 7, 1, 1, 0);
     UPDATE rollup_position SET position = (SELECT max(id) FROM clicks)`,
  );
  expect(sums(question).rows).toEqual([{ word: 7, clicks: 1, uniqueClicks: 1, bots: 0 }]);
});

test("today's completed hours are read once, and the current hour each time", () => {
  const { main } = server.databases;
  const read: [number, number][] = [];
  const listening = new Proxy(main, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name);
      return (sql: string) => {
        const statement = target.prepare<[number, number, number, number, number]>(sql);
        if (!sql.includes('SELECT word')) return statement;
        const rows = statement.raw();
        return {
          raw: () => ({
            iterate: (...values: [number, number, number, number, number]) => {
              read.push([values[3], values[4]]);
              return rows.iterate(...values);
            },
          }),
        };
      };
    },
  });
  const sums = valueSums(listening).best;
  const question = {
    userId: 1,
    dimension: dimensions.city,
    from: 10,
    to: 96,
    past: 72,
    latest: 90,
    withBots: false,
    most: 5,
  };
  for (const hour of [20, 80, 90]) count(hour, 7, 1);
  expect(sums(question).rows).toMatchObject([{ word: 7, clicks: 3 }]);
  expect(read).toEqual([
    [10, 72],
    [72, 90],
    [90, 96],
  ]);
  count(90, 7, 1);
  expect(sums(question).rows).toMatchObject([{ word: 7, clicks: 4 }]);
  expect(read.slice(3)).toEqual([[90, 96]]);
});
