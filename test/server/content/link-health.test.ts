import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { healthJob } from '../../../server/content/health/job.ts';
import { healthLists, healthQueries } from '../../../server/content/health/queries.ts';
import { healthWarnings } from '../../../server/content/health/warnings.ts';
import { readAnswers } from '../../../server/platform/database/read-answers.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import type { Checked } from '../../../server/platform/fetcher/fetcher.ts';
import { type Letter, write } from '../../../server/platform/mail/letters.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { newTeam } from '../../support/team.ts';

const hour = 3_600_000;
const day = 24 * hour;
const ok: Checked = { status: 200 };

let server: TestApp;
let answers: Record<string, Checked | undefined>;
let asked: string[];
let letters: string[];
let published: number[][];
let isMailReady: boolean;
let canPost: boolean;
let underWay: number;
let mostUnderWay: number;
let run: () => Promise<void>;

beforeEach(async () => {
  server = await startApp({ ratelimit: 10_000 });
  [answers, asked, letters, published, isMailReady, canPost] = [{}, [], [], [], true, true];
  [underWay, mostUnderWay] = [0, 0];
  const { main } = server.databases;
  const queries = healthQueries(main);
  const baseUrl = () => 'https://links.example.com';
  const mail = {
    writeWith:
      <Data>(_kind: string, writer: (data: Data) => (Letter & { to: string }) | undefined) =>
      (data: Data) => {
        const letter = writer(data);
        if (letter) letters.push(`${letter.to}\n${write(letter, 'links.example.com').text}`);
      },
    linkTo: (path: string) => baseUrl() + path,
    postIfPossible(post: () => void) {
      if (canPost) post();
      return canPost;
    },
  };
  const lists = healthLists({ read: async (reads) => readAnswers(main)(reads) });
  const slices = {
    async run(step: () => boolean) {
      while (step());
      return true;
    },
  };
  const job = healthJob({
    queries,
    lists,
    fetcher: {
      async check(url) {
        asked.push(url);
        underWay += 1;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return url in answers ? answers[url] : ok;
      },
    },
    warnings: healthWarnings({ mail, queries, lists, slices, baseUrl }),
    isMailReady: () => isMailReady,
    slices,
    transactions: transactions(main),
    changes: { publish: ({ ids }) => void published.push([...ids]) },
    randomInteger: (below) => below - 1,
    now: server.clock.now,
  });
  run = async () => job.run(new AbortController().signal);
  await wants(true);
});
afterEach(() => server.close());

const wants = (isWanted: boolean) =>
  server.request('PUT', '/api/account/update', { body: { brokenlinks_email: isWanted } });
const add = async (custom: string, body: object = {}): Promise<number> =>
  (
    await server.request('POST', '/api/url/add', {
      body: { url: `https://${custom}.example.com/`, custom, ...body },
    })
  ).body.id;
const health = async (id: number) => (await server.request('GET', `/api/url/${id}`)).body.details.health;
const broken = async () =>
  (await server.request('GET', '/api/urls?health=broken')).body.data.urls.map(
    ({ alias }: { alias: string }) => alias,
  );
/** Runs the job every twelve hours for so many days. */
async function pass(days: number): Promise<void> {
  for (let half = 0; half < 2 * days; half += 1) {
    server.clock.advance(day / 2);
    await run();
  }
}

describe('a link whose destination is gone', () => {
  test('is broken after three checks over three days, reported once, and recovers by itself', async () => {
    const id = await add('gone');
    await add('fine');
    expect(await health(id)).toBe(null);
    await run();
    answers = { 'https://gone.example.com/': { status: 404 } };
    await pass(8);
    expect(await health(id)).toMatchObject({ state: 'ok' });
    expect(letters).toEqual([]);
    await pass(2.5);
    expect(await health(id)).toMatchObject({
      state: 'broken',
      reason: 'not_found',
      address: 'https://gone.example.com/',
      since: expect.any(String),
    });
    expect(await broken()).toEqual(['gone']);
    expect(published).toEqual([[id]]);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain('anna@example.com\n');
    expect(letters[0]).toContain('https://links.example.com/gone (gone.\u200bexample.\u200bcom)');
    expect(letters[0]).not.toContain('/fine');
    expect(letters[0]).toContain('https://links.example.com/admin/links?health=broken');
    await pass(20);
    expect(letters).toHaveLength(1);
    answers = {};
    await pass(7);
    expect(await health(id)).toMatchObject({ state: 'ok', since: null });
    expect(await broken()).toEqual([]);
    expect(published).toEqual([[id], [id]]);
  });

  test.each([
    [{ status: 410 }, 'gone'],
    [{ status: 503 }, 'server_error'],
    [{ failure: 'dns' }, 'dns'],
    [{ failure: 'tls' }, 'tls'],
    [{ failure: 'refused' }, 'refused'],
  ] as [Checked, string][])('says why: %o', async (answer, reason) => {
    const id = await add('gone');
    await add('fine');
    answers = { 'https://gone.example.com/': answer };
    await run();
    await pass(12);
    expect(await health(id)).toMatchObject({ state: 'broken', reason });
  });

  test.each([undefined, { status: 403 }, { status: 429 }, { status: 401 }] as (Checked | undefined)[])(
    'is not broken if it may work for people: %o',
    async (answer) => {
      await add('guarded');
      answers = { 'https://guarded.example.com/': answer };
      await run();
      await pass(20);
      expect(await broken()).toEqual([]);
    },
  );

  test('is checked again when it gets another destination', async () => {
    const id = await add('gone');
    answers = { 'https://gone.example.com/': { status: 404 } };
    await run();
    await pass(12);
    expect(await broken()).toEqual(['gone']);
    await server.request('PUT', `/api/url/${id}/update`, { body: { url: 'https://new.example.com/' } });
    expect(await health(id)).toBe(null);
    expect(await broken()).toEqual([]);
    asked.length = 0;
    await run();
    expect(asked).toEqual(['https://new.example.com/']);
    expect(await health(id)).toMatchObject({ state: 'ok' });
  });

  test('may be one that only some visitors reach', async () => {
    const geotarget = [{ location: 'Germany', link: 'https://de.example.com/' }];
    const id = await add('targeted', { geotarget });
    answers = { 'https://de.example.com/': { status: 404 } };
    await run();
    await pass(12);
    expect(await health(id)).toMatchObject({ state: 'broken', address: 'https://de.example.com/' });
  });
});

test('nothing is reported while our own network is down', async () => {
  await add('one');
  await add('two');
  await run();
  await pass(8);
  answers = {
    'https://one.example.com/': { failure: 'dns' },
    'https://two.example.com/': { failure: 'dns' },
  };
  await pass(14);
  expect(await broken()).toEqual([]);
  answers = { 'https://one.example.com/': { failure: 'dns' } };
  await pass(12);
  expect(await broken()).toEqual(['one']);
});

test('an email that could not be sent is sent later, and names what is broken then', async () => {
  const id = await add('gone');
  await add('away');
  await add('fine');
  answers = { 'https://gone.example.com/': { status: 404 }, 'https://away.example.com/': { status: 404 } };
  canPost = false;
  await run();
  await pass(12);
  expect(await broken()).toHaveLength(2);
  expect(letters).toEqual([]);
  await server.request('DELETE', `/api/url/${id}/delete`);
  canPost = true;
  await run();
  expect(letters).toHaveLength(1);
  expect(letters[0]).toContain('https://links.example.com/away ');
  expect(letters[0]).not.toContain('/gone');
});

test('checks nothing unless mail is set up and the account wants it, and then forgets', async () => {
  await add('gone');
  answers = { 'https://gone.example.com/': { status: 404 } };
  isMailReady = false;
  await run();
  await pass(10);
  expect(asked).toEqual([]);
  isMailReady = true;
  await run();
  await pass(12);
  expect(await broken()).toEqual(['gone']);
  await wants(false);
  asked.length = 0;
  await pass(8);
  expect(asked).toEqual([]);
  expect(await broken()).toEqual([]);
});

test('requests one page of a host at a time, twenty per run, and delays nobody else', async () => {
  const { main } = server.databases;
  main.exec(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
     INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
     SELECT 1, 'm' || i, 'https://large.example.com/' || i, 1, 1, 'm' FROM n`,
  );
  const last = await add('small');
  await run();
  main.exec('UPDATE link_health SET due_at = link_id');
  main.prepare('UPDATE link_health SET due_at = 999999 WHERE link_id = ?').run(last);
  await run();
  const ofLarge = asked.filter((url) => url.startsWith('https://large.'));
  expect([ofLarge.length, asked.length]).toEqual([20, 21]);
  expect(mostUnderWay).toBe(1);
});

test("a team's owner and admins are notified, and nobody else", async () => {
  const team = await newTeam(server, 'olga');
  const adam = await team.join('adam', 'admin');
  await team.join('ella', 'editor');
  const body = { url: 'https://team.example.com/', custom: 'teamlink' };
  await team.owner.inTeam('POST', '/api/url/add', { body });
  answers = { 'https://team.example.com/': { status: 404 } };
  await run();
  await pass(12);
  expect(letters).toEqual([]);
  const change = { body: { brokenlinks_email: true } };
  expect((await adam.inTeam('PUT', '/api/account/update', change)).status).toBe(200);
  await run();
  await pass(12);
  expect(letters.map((letter) => letter.split('\n')[0]).sort()).toEqual([
    'adam@example.com',
    'olga@example.com',
  ]);
  expect(letters[0]).toContain(`/admin/team/${team.id}/links?health=broken`);
  const seen = (await team.owner.inTeam('GET', '/api/urls?health=broken')).body.data;
  expect(seen.result).toBe(1);
  expect(await broken()).toEqual([]);
});
