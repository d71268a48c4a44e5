import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditFilter, auditLists } from '../../../server/platform/audit/list-queries.ts';
import type { Read } from '../../../server/platform/database/reader.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const reads: Read[] = [];
const lists = auditLists({
  read: async (asked) => {
    reads.push(...asked);
    return asked.map(() => []);
  },
  page: () => Promise.reject(new Error('not used')),
  close: async () => {},
});

const kinds = ['links.created', 'links.updated', 'links.deleted'];
const filters = [null, 1].flatMap((userId) =>
  [null, 1, 2].flatMap((actorId) =>
    (['security', 'records', 'all'] as const).flatMap((view) =>
      [null, ['links.created'], kinds].flatMap((actions) =>
        [null, 7].map((record): AuditFilter => ({ userId, actorId, view, actions, record, kind: null })),
      ),
    ),
  ),
);

/** Steps of a statement's plan. */
function planOf({ sql, values }: Read): string[] {
  const steps = server.databases.main
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values);
  return steps.map(({ detail }) => detail);
}

test('every activity list is read in order from an index with only its entries', async () => {
  reads.length = 0;
  for (const filter of filters) await lists.list(filter, { limit: 50, offset: 0 });
  await lists.people(1);
  await lists.people(null);
  expect(new Set(reads.map(({ sql }) => sql)).size).toBeGreaterThan(40);
  const steps = new Set(
    reads.flatMap((read) => {
      const isPeople = read.sql.includes('FROM users');
      return planOf(read).filter((step) => !isPeople || !/ORDER BY|SCAN (users|found)/.test(step));
    }),
  );
  // Everybody's entries, security or records, are the whole of an index.
  const whole = /^SCAN audit USING COVERING INDEX audit_(security|records)$/;
  const costly = [...steps].filter(
    (step) => /^SCAN (?!picked|found|CONSTANT|\()|TEMP B-TREE/.test(step) && !whole.test(step),
  );
  expect(costly).toEqual([]);
  // Only what one record's few entries have besides is looked at in the entries themselves.
  const searched = [...steps].filter((step) => /^SEARCH audit /.test(step));
  const looked = searched.filter((step) => !step.includes('COVERING INDEX'));
  expect(looked.filter((step) => !/audit_by_record|INTEGER PRIMARY KEY|^SEARCH audit$/.test(step))).toEqual(
    [],
  );
});
