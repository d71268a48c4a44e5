import { expect, test } from 'vitest';
import type { Account } from '../../../server/platform/http/caller.ts';
import { clickExports } from '../../../server/visits/stats/click-export.ts';
import type { ExportQueries, FullClickRow } from '../../../server/visits/stats/export-queries.ts';

const count = 4_000;
const row = {
  link_id: 1,
  alias: 'busy',
  host: null,
  at: 0,
  source: 0,
  bot: 0,
  referrer: '',
  referrer_path: '',
  param1: null,
} as unknown as FullClickRow;
const queries = {
  range: async () => ({ after: 0, until: count }),
  passing: async () => ({}),
  next: async () => ({ rows: Array(count).fill(row), seen: count }),
} as unknown as ExportQueries;
const account = {
  user: { timezone: 'UTC', parameters: '[]' },
  plan: { features: {} },
} as unknown as Account;
const exports = clickExports({
  queries,
  countRecent: async () => {},
  baseUrl: () => 'https://go.example',
  now: () => 0,
});

test.each(['csv', 'jsonl'] as const)(
  'thousands of clicks are exported in turns, with redirects in between: %s',
  async (format) => {
    let turns = 0;
    const next = () => {
      turns += 1;
      turning = setImmediate(next);
    };
    let turning = setImmediate(next);
    const query = { format, period: 'all' } as Parameters<typeof exports.open>[2];
    const { content } = exports.open(account, { linkId: 1 }, query, () => true);
    const rowsOfTurn = new Map<number, number>();
    for await (const text of content) {
      const rows = text.match(/busy/g)?.length ?? 0;
      rowsOfTurn.set(turns, (rowsOfTurn.get(turns) ?? 0) + rows);
    }
    clearImmediate(turning);
    const rows = [...rowsOfTurn.values()];
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(Math.max(...rows)).toBeLessThanOrEqual(200);
  },
);
