import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SnapshotState } from '../../../server/network/fleet/messages.ts';
import type { Unit } from '../../../server/network/fleet/records.ts';
import { replicaBuilder } from '../../../server/network/fleet/replica-builder.ts';
import { openReplicas } from '../../../server/network/fleet/replicas.ts';
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

async function open() {
  const origin = openDatabases({
    folder: join(folder, 'origin'),
    migrations,
    newId: randomUUID,
    now: Date.now,
  });
  origin.close();
  const builder = replicaBuilder(migrations);
  let answering: Databases | undefined;
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
        reloadSettings() {},
        close: async () => databases.close(),
      };
    },
    fetchSnapshot: async (_name, file) => cpSync(join(folder, 'origin', 'waypost.sqlite'), file),
    now: Date.now,
    log: { info() {}, error() {} },
  });
  return {
    replicas,
    names: () => answering?.main.prepare('SELECT count(*) FROM aliases').pluck().get(),
    async close() {
      await builder.close();
      await replicas.close();
    },
  };
}

test('a change that comes while a larger one is built is kept', async () => {
  const { replicas, names, close } = await open();
  await replicas.replace(snapshot(1));
  await Promise.all([replicas.apply(unitOf(1, 400, 400), 2), replicas.apply(unitOf(400, 401, 1), 3)]);
  expect([names(), replicas.position()?.position]).toEqual([401, 401]);
  await close();
});

test('a snapshot that arrives after a newer one does not take its place', async () => {
  const { replicas, close } = await open();
  await Promise.all([replicas.replace(snapshot(9)), replicas.replace(snapshot(5))]);
  expect(replicas.position()?.position).toBe(9);
  await close();
});

test('what does not follow on what is there is left out', async () => {
  const { replicas, names, close } = await open();
  await replicas.replace(snapshot(5));
  await replicas.apply(unitOf(6, 7, 1), 2);
  await replicas.apply(unitOf(4, 5, 1), 3);
  expect([names(), replicas.position()?.position]).toEqual([0, 5]);
  await close();
});
