import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { openDatabases } from '../../platform/database/open.ts';
import { heldStates } from './held-states.ts';
import { publicTable, publicTables, writtenColumns } from './public-tables.ts';
import type { Unit } from './records.ts';
import type { ReplicaAnswer, ReplicaQuestion } from './replica-builder.ts';
import { applyRecords, writePosition } from './replica-records.ts';
import { salvage } from './salvage.ts';
import { arrivedUnit, unpackUnit } from './unit-body.ts';

/**
 * Memory for pages while a replica is built, in KiB: little, because what a thread has used once stays with the process,
 * and a source is read from one end to the other.
 */
const builtPages = 8_192;
const readPages = 1_024;

const states = heldStates('SELECT position FROM fleet_replica WHERE id = 1');

answerQuestions<ReplicaQuestion, ReplicaAnswer>((asked) => {
  if (asked.kind === 'hold') return { kind: 'hold', held: states.hold(asked.file, asked.at) };
  if (asked.kind === 'checksums')
    return states.checksums(asked.held).then((sums) => ({ kind: 'checksums' as const, sums }));
  if (asked.kind === 'unit') return { kind: 'unit', found: arrivedUnit(asked.packed) };
  if (asked.kind === 'salvage') return { kind: 'salvage', found: salvage(asked) };
  const { folder, source, migrations, at, unit } = asked;
  const databases = openDatabases({ folder, migrations, newId: randomUUID, now: Date.now });
  try {
    const { main } = databases;
    main.pragma('foreign_keys = 0');
    main.pragma(`cache_size = -${builtPages}`);
    dropTriggers(main);
    // SQLite would create a missing one, and the replica would be empty.
    if (!existsSync(source)) throw new Error('the snapshot is gone');
    main.prepare('ATTACH ? AS source').run(source);
    main.pragma(`source.cache_size = -${readPages}`);
    main
      .transaction(() => {
        for (const table of Object.keys(publicTables)) importTable(main, table);
        if (unit) applyRecords(main, tablesOf(unit));
        writePosition(main, at);
      })
      .immediate();
    main.exec('DETACH source');
  } finally {
    databases.close();
  }
  return { kind: 'build' };
});

function tablesOf(unit: NonNullable<Extract<ReplicaQuestion, { kind: 'build' }>['unit']>): Unit['tables'] {
  if ('tables' in unit) return unit.tables;
  const unpacked = unpackUnit(unit.packed);
  if (!unpacked) throw new Error('the unit cannot be read');
  return unpacked.tables;
}

/**
 * The origin's triggers have already run: their results are among the records. Those that invalidate caches of
 * redirects run here, too.
 */
function dropTriggers(connection: Connection): void {
  const names = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT GLOB 'redirect*'",
    )
    .pluck()
    .all();
  for (const name of names) connection.exec(dropSql(name));
}

const dropSql = (name: string) => `DROP TRIGGER "${name}"`;

/** A source of another version may lack columns; they get the defaults of a new record. */
function importTable(connection: Connection, name: string): void {
  connection.exec(clearSql(name));
  const present = connection
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'source')")
    .pluck()
    .all(name);
  if (present.length > 0) connection.exec(importSql(name, present));
}

const clearSql = (name: string) => `DELETE FROM main.${name}`;

function importSql(name: string, present: readonly string[]): string {
  const table = publicTable(name);
  const columns = table.columns.filter((column) => present.includes(column));
  const { names, values } = writtenColumns({ ...table, columns });
  return `INSERT INTO main.${name} (${names.join(', ')}) SELECT ${values.join(', ')} FROM source.${name}`;
}
