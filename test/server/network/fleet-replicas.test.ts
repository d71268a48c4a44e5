import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SnapshotState } from '../../../server/network/fleet/messages.ts';
import type { Unit } from '../../../server/network/fleet/records.ts';
import { type ReplicaBuilder, replicaBuilder } from '../../../server/network/fleet/replica-builder.ts';
import { openReplicas } from '../../../server/network/fleet/replicas.ts';
import type { FleetSession } from '../../../server/network/fleet/session.ts';
import { mostBytesHere, packUnit } from '../../../server/network/fleet/unit-body.ts';
import { connect } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { type Databases, openDatabases } from '../../../server/platform/database/open.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-replicas-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const schema = migrations.at(-1)?.version ?? 0;
const snapshot = (position: number): SnapshotState => ({
  ...{ epoch: 1, position, sequence: position, schema, name: `snapshot-1-${position}-0` },
});

/** A change of so many names, from a number on. */
function unitOf(from: number, to: number, many: number): Unit {
  const rows = Array.from({ length: many }, (_, index) => [0, `name-${to}-${index}`, 'link', index + 1]);
  const keys = rows.map(([domain = 0, alias = '']) => [domain, alias]);
  const columns = ['domain_id', 'alias', 'kind', 'target_id'];
  return { epoch: 1, branch: 'a', schema, from, to, tables: { aliases: { columns, rows, keys } } };
}

async function open(salvage?: ReplicaBuilder['salvage']) {
  const origin = openDatabases({
    folder: join(folder, 'origin'),
    migrations,
    newId: randomUUID,
    now: Date.now,
  });
  origin.close();
  const builder = replicaBuilder(migrations);
  if (salvage) builder.salvage = salvage;
  let answering: Databases | undefined;
  const closed: string[] = [];
  const said: string[] = [];
  const replicas = await openReplicas({
    folder: join(folder, 'edge'),
    fleet: 'fleet',
    migrations,
    builder,
    onEntry() {},
    onFiles() {},
    openApp(databases) {
      answering = databases;
      return {
        answerPublic: async () => {},
        noteArrival() {},
        reloadSettings() {},
        lostClicks: () => 0,
        async close() {
          closed.push(databases.file);
          databases.close();
        },
      };
    },
    fetchSnapshot: async (_name, file) => cpSync(join(folder, 'origin', 'waypost.sqlite'), file),
    now: Date.now,
    monotonic: () => performance.now(),
    log: { info() {}, error: (...words: unknown[]) => void said.push(String(words.at(-1))) },
  });
  return {
    replicas,
    closed,
    said,
    fileOf: () => answering?.file ?? '',
    names: () => answering?.main.prepare('SELECT count(*) FROM aliases').pluck().get(),
    async close() {
      await builder.close();
      await replicas.close();
    },
  };
}

test('a change during the building of a larger one is kept', async () => {
  const { replicas, names, close } = await open();
  await replicas.replace(snapshot(1));
  await Promise.all([replicas.apply(unitOf(1, 400, 400), 2), replicas.apply(unitOf(400, 401, 1), 3)]);
  expect([names(), replicas.position()?.position]).toEqual([401, 401]);
  await close();
});

test('a large change is read beside the serving thread, and applied there or in a new replica', async () => {
  const { replicas, fileOf, names, close } = await open();
  await replicas.replace(snapshot(1));
  const parse = vi.spyOn(JSON, 'parse');
  const arrive = async (unit: Unit) => {
    const packed = packUnit(unit);
    if (packed === 'many') throw new Error('it is no unit');
    const read = await replicas.read(packed);
    if (!read) throw new Error('it could not be read');
    await replicas.apply(read, unit.to);
  };
  const before = fileOf();
  try {
    const plan = (id: number, size: number) => [id, 0, JSON.stringify(['x'.repeat(size)]), '{}', '{}'];
    const columns = ['id', 'free', 'permissions', 'limits', 'features'];
    const plans = (rows: (string | number)[][]): Unit['tables'] => ({
      plans: { columns, rows, keys: rows.map(([id = 0]) => [id]) },
    });
    const [first, second, third] = [plan(1, 2 ** 20), plan(2, 2 ** 20), plan(3, 2 ** 20)];
    await arrive({ ...unitOf(1, 2, 0), tables: plans([first]) });
    expect(fileOf()).toBe(before);
    await arrive({ ...unitOf(2, 3, 0), tables: plans([first, second, third]) });
    expect(fileOf()).not.toBe(before);
    await arrive(unitOf(3, 4, 10_000));
    expect(names()).toBe(10_000);
    expect(replicas.position()?.position).toBe(4);
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    expect(longest).toBeLessThanOrEqual(mostBytesHere);
  } finally {
    parse.mockRestore();
    await close();
  }
});

test('a snapshot that arrives after a newer one does not replace it', async () => {
  const { replicas, close } = await open();
  await Promise.all([replicas.replace(snapshot(9)), replicas.replace(snapshot(5))]);
  expect(replicas.position()?.position).toBe(9);
  await close();
});

test('changes out of sequence are ignored', async () => {
  const { replicas, names, close } = await open();
  await replicas.replace(snapshot(5));
  await replicas.apply(unitOf(6, 7, 1), 2);
  await replicas.apply(unitOf(4, 5, 1), 3);
  expect([names(), replicas.position()?.position]).toEqual([0, 5]);
  await close();
});

/** Has a replica keep more clicks than one page holds, and damages all of their pages. */
function damageClicks(file: string): void {
  const database = connect(file, 'FULL');
  const columns = database
    .prepare<[], string>(
      "SELECT name FROM pragma_table_info('clicks') WHERE name NOT IN ('id', 'rule', 'address')",
    )
    .pluck()
    .all();
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO clicks (id, ${columns.join(', ')}) SELECT i, ${columns.map(() => 1).join(', ')} FROM n`);
  const pages = database
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'clicks' AND pagetype = 'leaf'")
    .pluck()
    .all();
  const size = Number(database.pragma('page_size', { simple: true }));
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const written = openSync(file, 'r+');
  for (const page of pages) writeSync(written, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(written);
}

test('a damaged replica is closed when its last visitor has a response, and not before', async () => {
  const { replicas, closed, said, fileOf, close } = await open();
  await replicas.replace(snapshot(1));
  const damaged = fileOf();
  damageClicks(damaged);
  // Of a visit, only what tells that its answer is over.
  const response = new EventEmitter() as unknown as ServerResponse;
  replicas.app()?.answerPublic({} as IncomingMessage, response, 'go.test');
  // Nothing that could be read is there to be sent.
  const session = {} as FleetSession;
  await replicas.ship(session, 1);
  expect([closed, fileOf() === damaged, said]).toEqual([[], false, []]);
  await replicas.ship(session, 1);
  expect(closed).toEqual([]);
  response.emit('close');
  await replicas.ship(session, 1);
  expect([closed, said]).toEqual([[damaged], [expect.stringContaining('damaged and was set aside')]]);
  await close();
});

test('a replaced replica is removed when its last visitor has a response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { replicas, closed, fileOf, close } = await open();
  await replicas.replace(snapshot(1));
  const first = fileOf();
  const response = new EventEmitter() as unknown as ServerResponse;
  replicas.app()?.answerPublic({} as IncomingMessage, response, 'go.test');
  await replicas.replace(snapshot(2));
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await replicas.ship({} as FleetSession, 1);
  expect([closed, existsSync(first)]).toEqual([[], true]);
  response.emit('close');
  await replicas.ship({} as FleetSession, 1);
  expect([closed, existsSync(first)]).toEqual([[first], false]);
  await close();
});

test('a damaged replica that cannot be saved is kept as it is, and the next one serves', async () => {
  const { replicas, said, fileOf, close } = await open(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'SQLITE_FULL' });
  });
  await replicas.replace(snapshot(1));
  damageClicks(fileOf());
  await replicas.ship({} as FleetSession, 1);
  await replicas.ship({} as FleetSession, 1);
  expect(said[0]).toMatch(/had not shipped could not be saved; it is kept in damaged-/);
  const names = readdirSync(join(folder, 'edge'));
  expect(names.filter((name) => name.startsWith('damaged-'))).toHaveLength(1);
  expect(names.filter((name) => name.startsWith('salvage-'))).toEqual([]);
  expect(replicas.position()?.position).toBe(1);
  await close();
});
