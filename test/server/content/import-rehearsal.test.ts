import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ImportRow, importConflicts, importLinks } from '../../../server/contract/import.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ ratelimit: 10_000 });
});
afterEach(() => server.close());

const importRows = async (rows: ImportRow[], conflict: (typeof importConflicts)[number], dryrun: boolean) =>
  (await server.call(importLinks, { body: { rows, conflict, dryrun } })).data;

/** Rows of few aliases, destinations and tokens, so that most of them depend on others. */
function entangledRows(seed: number): ImportRow[] {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: 60 }, () => {
    const [alias, token] = [next(7), next(12)];
    return {
      url: next(12) === 0 ? 'nonsense' : `https://example.com/${next(4)}`,
      ...(alias > 0 && { alias: alias === 6 ? 'there' : `alias-${alias}` }),
      ...(token < 4 && { token: `token-of-some-rows-${token}` }),
      tags: [`Tag ${next(3)}`],
    };
  });
}

describe.each(importConflicts)('a dry run with "%s"', (conflict) => {
  test("predicts the import's result, however its rows depend on each other", async () => {
    await importRows([{ url: 'https://example.com/1', alias: 'there' }], 'skip', false);
    for (let seed = 1; seed <= 4; seed += 1) {
      const rows = entangledRows(seed).map((row) => ({
        ...row,
        ...(row.alias && row.alias !== 'there' && { alias: `${row.alias}-${seed}` }),
        ...(row.token && { token: `${row.token}-${seed}` }),
      }));
      const told = await importRows(rows, conflict, true);
      const done = await importRows(rows, conflict, false);
      const outcomes = ({ rows: results }: typeof told) =>
        results.map(({ outcome, code }) => [outcome, code]);
      expect(outcomes(told)).toEqual(outcomes(done));
      expect(told.channels).toEqual(done.channels);
    }
  });

  test("counts the planned links against the plan's limit", async () => {
    server.databases.main.exec("UPDATE plans SET limits = json_set(limits, '$.links', 5)");
    const rows = entangledRows(9);
    const told = await importRows(rows, conflict, true);
    const done = await importRows(rows, conflict, false);
    expect(told.rows.map(({ outcome, code }) => [outcome, code])).toEqual(
      done.rows.map(({ outcome, code }) => [outcome, code]),
    );
    expect(done.rows.filter(({ code }) => code === 'plan_required').length).toBeGreaterThan(0);
  });
});

test('a dry run counts new channels and campaigns against their limits, like the import', async () => {
  server.databases.main.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9998)
    INSERT INTO channels (user_id, created_at, name, name_folded) SELECT 1, 1, 'n' || i, 'n' || i FROM n`);
  server.databases.main.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
    INSERT INTO campaigns (user_id, created_at, name, name_folded, slug, public)
    SELECT 1, 1, 'n' || i, 'n' || i, 's' || i, 0 FROM n`);
  const rows = [
    { url: 'https://example.com/1', tags: ['One'] },
    { url: 'https://example.com/2', tags: ['one', 'n5'] },
    { url: 'https://example.com/3', tags: ['Three', 'Four'] },
    { url: 'https://example.com/4', tags: ['Five'], campaign: 'Spring' },
    { url: 'https://example.com/5', tags: ['six'] },
    { url: 'https://example.com/6', tags: ['ONE'], campaign: 'spring' },
    { url: 'https://example.com/7', campaign: 'Autumn' },
  ];
  const told = await importRows(rows, 'skip', true);
  const done = await importRows(rows, 'skip', false);
  const outcomes = (data: typeof told) => data.rows.map(({ outcome, code }) => code ?? outcome);
  expect(outcomes(told)).toEqual(outcomes(done));
  const full = 'too_many';
  expect(outcomes(done)).toEqual(['create', 'create', full, 'create', full, 'create', full]);
  expect([told.channels, told.campaigns]).toEqual([done.channels, done.campaigns]);
  expect(done.channels).toEqual(['One', 'Five']);
});

test('a dry run counts what earlier batches of the file would create', async () => {
  server.databases.main.exec("UPDATE plans SET limits = json_set(limits, '$.links', 5)");
  const rows = [{ url: 'https://example.com/1' }, { url: 'https://example.com/2', tags: ['One'] }];
  const planned = { links: 4, channels: 10_000, campaigns: 0 };
  const { rows: told } = (await server.call(importLinks, { body: { rows, dryrun: true, planned } })).data;
  expect(told.map(({ outcome, code }) => code ?? outcome)).toEqual(['create', 'plan_required']);
  const [tagged] = (
    await server.call(importLinks, {
      body: { rows: rows.slice(1), dryrun: true, planned: { ...planned, links: 0 } },
    })
  ).data.rows;
  expect(tagged?.code).toBe('too_many');
});

test('a dry run of many rows runs in slices, and leaves nothing behind', async () => {
  const { main } = server.databases;
  const begin = main.transaction.bind(main);
  const depths: boolean[] = [];
  vi.spyOn(main, 'transaction').mockImplementation(((work: () => unknown) => {
    depths.push(main.inTransaction);
    // As if each row took a millisecond.
    if (main.inTransaction) server.clock.advance(1);
    return begin(work);
  }) as typeof main.transaction);
  const rows = Array.from({ length: 200 }, (_, index) => ({
    url: `https://example.com/${index}`,
  }));
  const told = await importRows(rows, 'skip', true);
  vi.restoreAllMocks();
  expect(told.rows.every(({ outcome }) => outcome === 'create')).toBe(true);
  expect(depths.filter((isNested) => !isNested).length).toBeGreaterThanOrEqual(60);
  const { body } = await server.request('GET', '/api/urls');
  expect(body.data.result).toBe(0);
});
