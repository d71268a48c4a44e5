import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeQueries } from '../../../server/content/links/change-queries.ts';
import { linkHistory } from '../../../server/content/links/history.ts';
import { plannedDaysJob } from '../../../server/content/links/planned-days.ts';
import { linkQueries } from '../../../server/content/links/queries.ts';
import { shapeOf } from '../../../server/contract/import-columns.ts';
import { fileRows } from '../../../server/contract/import-rows.ts';
import { addLink } from '../../../server/contract/links.ts';
import { readCsvFile } from '../../../server/operations/commands/read-csv.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { slices } from '../../../server/platform/jobs/slices.ts';
import { aliasQueries } from '../../../server/visits/redirects/alias-queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { anotherName } from '../../support/names.ts';
import { visit } from '../../support/visits.ts';

const dayMs = 86_400_000;
const variants = [
  { url: 'https://example.com/a', percentage: 50 },
  { url: 'https://example.com/b', percentage: 50 },
];
let server: TestApp;
let isClockTrusted = true;
let told: number[] = [];
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

/** The job over the database as it is now, as after a start of the server. */
async function runJob(signal = new AbortController().signal): Promise<void> {
  const { main } = server.databases;
  const { now, monotonic } = server.clock;
  const queries = linkQueries(main);
  told = [];
  await plannedDaysJob({
    queries,
    history: linkHistory({
      links: queries,
      aliases: aliasQueries(main),
      changes: changeQueries(main),
      onTrashed() {},
      now,
    }),
    slices: slices({ transactions: transactions(main), monotonic }),
    changes: { publish: ({ ids }) => void told.push(...ids) },
    clock: { isTrusted: () => isClockTrusted },
    now,
  }).run(signal);
}

const inDays = (days: number) =>
  new Date(server.clock.now() + days * dayMs).toISOString().slice(0, 19).replace('T', ' ');
const add = async (custom: string, fields: Record<string, unknown>): Promise<number> =>
  (await server.call(addLink, { body: { url: 'https://example.com/own', custom, ...fields } })).id;
const put = (id: number, body: Record<string, unknown>) =>
  server.request('PUT', `/api/url/${id}/update`, { body });
const read = async (id: number) => (await server.request('GET', `/api/url/${id}`)).body.details;
const history = async (id: number) =>
  (await server.request('GET', `/api/url/${id}/history`)).body.data.changes;
const undo = (id: number) => server.request('POST', `/api/undo/${id}`);
const leadsTo = async (alias: string) => {
  const { status, location } = await visit(server, `/${alias}`);
  return location ?? status;
};

describe('a link with a planned day', () => {
  test('is archived on it, once, with a change that is undone and not repeated', async () => {
    const id = await add('to-archive', { archiveon: inDays(1) });
    await runJob();
    expect([await leadsTo('to-archive'), (await read(id)).archived]).toEqual([
      'https://example.com/own',
      false,
    ]);
    server.clock.advance(dayMs);
    // Visitors do not wait for the job.
    expect(await leadsTo('to-archive')).toBe(410);
    await runJob();
    expect(told).toEqual([id]);
    expect(await read(id)).toMatchObject({ archived: true, state: 'archived', archiveon: null });
    const [change] = await history(id);
    expect(change).toMatchObject({ action: 'planned archive', after: { archived: true, archiveon: null } });

    expect((await undo(change.id)).status).toBe(200);
    expect(await leadsTo('to-archive')).toBe('https://example.com/own');
    await runJob();
    expect(told).toEqual([]);
    expect(await read(id)).toMatchObject({ archived: false, archiveon: null });
    expect(await leadsTo('to-archive')).toBe('https://example.com/own');
  });

  test('goes to the trash on it and is restored for good, by undo and by restoring', async () => {
    const ids = [
      await add('to-delete', { deleteon: inDays(1) }),
      await add('to-delete-too', { deleteon: inDays(1) }),
    ];
    server.clock.advance(dayMs);
    await runJob();
    for (const alias of ['to-delete', 'to-delete-too']) expect(await leadsTo(alias)).toBe(404);
    const trash = (await server.request('GET', '/api/urls?status=trash')).body.data.urls;
    expect(trash.map(({ id }: { id: number }) => id).sort()).toEqual(ids);
    const row = server.databases.main
      .prepare(
        'SELECT max(id) AS id FROM changes WHERE id IN (SELECT change_id FROM changed_links WHERE link_id = ?)',
      )
      .get(ids[0]) as { id: number };
    expect((await undo(row.id)).status).toBe(200);
    await server.request('POST', '/api/urls/bulk', { body: { ids: [ids[1]], action: 'restore' } });
    await runJob();
    for (const alias of ['to-delete', 'to-delete-too']) {
      expect(await leadsTo(alias)).toBe('https://example.com/own');
    }
  });

  test('that was in the trash on that day stays when it is restored later', async () => {
    const id = await add('kept', { deleteon: inDays(2), archiveon: inDays(1) });
    await server.request('DELETE', `/api/url/${id}/delete`);
    server.clock.advance(3 * dayMs);
    await runJob();
    await server.request('POST', '/api/urls/bulk', { body: { ids: [id], action: 'restore' } });
    await runJob();
    expect(await read(id)).toMatchObject({ archived: false, archiveon: null, deleteon: null });
    expect(await leadsTo('kept')).toBe('https://example.com/own');
  });

  test.each([
    ['named', 'https://example.com/b', 'https://example.com/b'],
    ['own', null, 'https://example.com/own'],
  ])('ends its A/B test with the winner: %s', async (alias, testwinner, expected) => {
    const id = await add(alias, { abtesting: variants, testuntil: inDays(1), testwinner });
    expect(await read(id)).toMatchObject({ testwinner });
    expect(await leadsTo(alias)).toMatch(/\/(a|b)$/);
    server.clock.advance(dayMs);
    expect(await leadsTo(alias)).toBe(expected);
    await runJob();
    expect(await read(id)).toMatchObject({
      longurl: expected,
      abtesting: [],
      testuntil: null,
      testwinner: null,
    });
    expect(await leadsTo(alias)).toBe(expected);
    const [change] = await history(id);
    expect((await undo(change.id)).status).toBe(200);
    await runJob();
    expect(await read(id)).toMatchObject({ longurl: 'https://example.com/own', abtesting: variants });
  });

  test('waits while the clock is not trusted, and while the server stops', async () => {
    const id = await add('waiting', { archiveon: inDays(1) });
    server.clock.advance(dayMs);
    isClockTrusted = false;
    await runJob();
    isClockTrusted = true;
    await runJob(AbortSignal.abort());
    expect((await read(id)).archived).toBe(false);
    await runJob();
    expect((await read(id)).archived).toBe(true);
  });

  test('can be one of many with the same day', async () => {
    const action = { action: 'archiveon', value: inDays(1) };
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1) ids.push(await add(`many-${count}`, {}));
    const reply = await server.request('POST', '/api/urls/bulk', { body: { ids, ...action } });
    expect(reply.body.data.counts).toMatchObject({ done: 12 });
    server.clock.advance(dayMs);
    await runJob();
    expect(told.sort((one, other) => one - other)).toEqual(ids);
    for (const id of ids) expect((await read(id)).archived).toBe(true);
  });

  test('tells a simulated visitor that its A/B test is over, and where its winner leads', async () => {
    const winner = 'https://example.com/b';
    const id = await add('over', { abtesting: variants, testuntil: inDays(1), testwinner: winner });
    const simulate = async (at: string) =>
      (await server.request('POST', `/api/url/${id}/simulate`, { body: { at } })).body.data;
    expect((await simulate(inDays(0.5))).why).toContain('falls to a variant of the A/B test');
    expect(await simulate(inDays(2))).toMatchObject({
      link: winner,
      why: 'The link has no rules; the A/B test is over by then, and its winner is used.',
    });
  });

  test('tells a simulated visitor of no winner if none was named', async () => {
    const id = await add('unwon', { abtesting: variants, testuntil: inDays(1) });
    const { body } = await server.request('POST', `/api/url/${id}/simulate`, { body: { at: inDays(2) } });
    expect(body.data.why).not.toContain('winner');
  });

  test('shows a simulated visitor of that day the future result', async () => {
    const id = await add('simulated', { archiveon: inDays(1) });
    const simulate = async (at: string) =>
      (await server.request('POST', `/api/url/${id}/simulate`, { body: { at } })).body.data.outcome;
    expect([await simulate(inDays(0.5)), await simulate(inDays(2))]).toEqual(['redirect', 'archived']);
  });

  test.each([
    [{ archiveon: '2001-01-01' }, 'in_the_past', 'archiveon'],
    [{ deleteon: '2001-01-01' }, 'in_the_past', 'deleteon'],
    [{ deleteon: 'tomorrow' }, undefined, 'deleteon'],
    [
      { abtesting: variants, testuntil: '2090-01-01', testwinner: 'https://example.com/c' },
      'unknown_variant',
      'testwinner',
    ],
  ])('is refused as %j', async (fields, code, field) => {
    const id = await add(`refused-${field}-${code}`, {});
    const { status, body } = await put(id, fields);
    expect([status, body.field]).toEqual([400, field]);
    if (code) expect(body.code).toBe(code);
    expect(await read(id)).toMatchObject({ archiveon: null, deleteon: null, testuntil: null });
  });
});

test('planned days that pass while the server is off are carried out by its next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-days-'));
  const clock = testClock();
  let restarted = await startApp({ folder, clock });
  try {
    const day = new Date(clock.now() + dayMs).toISOString().slice(0, 19).replace('T', ' ');
    const body = { url: 'https://example.com/', custom: 'off', archiveon: day };
    const { id } = await restarted.call(addLink, { body });
    await restarted.close();
    clock.advance(2 * dayMs);
    restarted = await startApp({ folder, clock });
    // Visitors do not wait for the job.
    expect((await visit(restarted, '/off')).status).toBe(410);
    restarted.app.startJobs();
    clock.advance(60_000);
    const details = async () => (await restarted.request('GET', `/api/url/${id}`)).body.details;
    await expect.poll(async () => (await details()).archived, { timeout: 5_000 }).toBe(true);
    expect((await details()).archiveon).toBeNull();
    expect((await visit(restarted, '/off')).status).toBe(410);
  } finally {
    await restarted.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('planned days in a file', () => {
  const imported = async (row: object, more: object = {}) =>
    (await server.request('POST', '/api/urls/import', { body: { rows: [row], ...more } })).body.data.rows[0];
  const url = 'https://example.com/from-a-file';

  test('are imported with their links, and carried out', async () => {
    const { id } = await imported({ url, alias: 'file-days', archiveon: inDays(1), deleteon: inDays(2) });
    expect(await read(id)).toMatchObject({ archiveon: inDays(1), deleteon: inDays(2) });
    server.clock.advance(dayMs);
    expect(await leadsTo('file-days')).toBe(410);
    await runJob();
    expect(await read(id)).toMatchObject({ state: 'archived', archiveon: null });
  });

  test('replace those of an updated link, and omitted ones stay', async () => {
    const id = await add('file-replaced', { archiveon: inDays(3) });
    const again = { alias: 'file-replaced' };
    await imported({ ...again, url: `${url}/2` }, { conflict: 'replace' });
    expect(await read(id)).toMatchObject({ longurl: `${url}/2`, archiveon: inDays(3) });
    await imported({ ...again, url: `${url}/3`, archiveon: inDays(5) }, { conflict: 'replace' });
    expect(await read(id)).toMatchObject({ archiveon: inDays(5) });
  });

  test('that have passed archive the imported link, and the row says so', async () => {
    const row = { url, alias: anotherName('file-past'), deleteon: inDays(-1) };
    const told = { outcome: 'create', code: 'delete_passed' };
    expect(await imported(row, { dryrun: true })).toMatchObject(told);
    expect(await leadsTo(row.alias)).toBe(404);
    const made = await imported(row);
    expect(made).toMatchObject(told);
    expect(await read(made.id)).toMatchObject({ state: 'archived', deleteon: null });
    expect(await leadsTo(row.alias)).toBe(410);
  });

  test('survive an export and import', async () => {
    await add('file-round', { archiveon: inDays(4), deleteon: inDays(6) });
    const { body: text } = await server.request('GET', '/api/urls/export?format=csv');
    const file = join(server.folder, 'links.csv');
    writeFileSync(file, text);
    const table = readCsvFile(file);
    const shape = shapeOf(table);
    const row = fileRows(table, shape, shape.mapping, 'UTC').find((each) => each.row.alias === 'file-round');
    expect(row?.row).toMatchObject({ archiveon: inDays(4), deleteon: inDays(6) });
  });
});
