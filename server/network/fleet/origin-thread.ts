import { rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { openReader } from '../../platform/database/connect.ts';
import { extractTables } from '../../platform/database/extract.ts';
import { type FixedSettings, publicSource } from './fixed-settings.ts';
import { heldStates } from './held-states.ts';
import type { OriginAnswer, OriginQuestion, UsedLimit } from './origin-reader.ts';
import { publicTables } from './public-tables.ts';
import { readChanges } from './records.ts';
import { mostUnitBytes, packUnit } from './unit-body.ts';

const { file, fixed } = workerData as { file: string; fixed: FixedSettings };
const connection = openReader(file);

/** The highest position that a change has or had. */
const lastPosition = "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'fleet_changes'), 0)";
const states = heldStates(lastPosition, fixed);

// Those without a limit, too: one that they get later counts on from here.
const used = {
  link: connection.prepare<[number], UsedLimit>(
    `SELECT id, created_at AS createdAt, limited_clicks AS used FROM links
     WHERE id > ? AND limited_clicks > 0 ORDER BY id LIMIT 500`,
  ),
  file: connection.prepare<[number], UsedLimit>(
    `SELECT id, created_at AS createdAt, limited_downloads AS used FROM files
     WHERE id > ? AND limited_downloads > 0 ORDER BY id LIMIT 500`,
  ),
};

answerQuestions<OriginQuestion, OriginAnswer>((asked) => {
  switch (asked.kind) {
    case 'unit': {
      const found = readChanges(connection, asked.after, { fixed, mostBytes: mostUnitBytes });
      if (found === undefined || found === 'many') return { kind: 'unit', found };
      const { to, tables } = found;
      const { epoch, branch, schema, after: from } = asked;
      const body = packUnit({ epoch, branch, schema, from, to, tables });
      return { kind: 'unit', found: body === 'many' ? body : { to, body } };
    }
    case 'snapshot': {
      rmSync(asked.target, { force: true });
      const extracts = Object.entries(publicTables).map(([table, { columns, only }]) => ({
        table,
        select: `SELECT ${columns.join(', ')} FROM ${publicSource(table, fixed, 'source')} WHERE ${only ?? 'true'}`,
      }));
      const position = extractTables(
        file,
        asked.target,
        extracts,
        (copy) =>
          copy
            .prepare<[], number>(
              "SELECT ifnull((SELECT seq FROM source.sqlite_sequence WHERE name = 'fleet_changes'), 0)",
            )
            .pluck()
            .get() ?? 0,
      );
      return { kind: 'snapshot', position };
    }
    case 'used':
      return { kind: 'used', limits: used[asked.of].all(asked.after) };
    case 'hold':
      return { kind: 'hold', held: states.hold(file, asked.at) };
    case 'checksums':
      return states.checksums(asked.held).then((sums) => ({ kind: 'checksums' as const, sums }));
  }
});
