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
  test('tells what the import does then, however its rows depend on each other', async () => {
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

  test('counts the links that it plans against the bound of the plan', async () => {
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

test('a dry run of many rows is tried a slice at a time, and nothing of it stays', async () => {
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
