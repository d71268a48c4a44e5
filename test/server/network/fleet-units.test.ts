import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureChanges } from '../../../server/network/fleet/capture.ts';
import { readChanges, type Unit } from '../../../server/network/fleet/records.ts';
import {
  arrivedUnit,
  mostBytesHere,
  mostUnitBytes,
  packUnit,
  readUnit,
} from '../../../server/network/fleet/unit-body.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { openDatabases } from '../../../server/platform/database/open.ts';

const unit: Unit = { epoch: 1, branch: 'a', schema: 1, from: 0, to: 1, tables: {} };

const nowhere = () => Promise.reject(new Error('it is read here'));

test('a unit is unpacked unchanged, while visitors are served', async () => {
  const body = packUnit(unit);
  if (body === 'many') throw new Error('it is small');
  let answered = 0;
  const answer = setInterval(() => {
    answered += 1;
  });
  const bomb = deflateRawSync(Buffer.alloc(mostUnitBytes - 1), { level: 1 });
  expect(await readUnit(bomb, async () => undefined)).toBe(undefined);
  clearInterval(answer);
  expect(answered).toBeGreaterThan(0);
  expect(await readUnit(body, nowhere)).toEqual(unit);
});

test('a unit that unpacks to more than the maximum is rejected, however small it is', async () => {
  const text = JSON.stringify(unit);
  const padded = (size: number) => deflateRawSync(`${text}${' '.repeat(size - text.length)}`, { level: 1 });
  expect(padded(mostUnitBytes).length).toBeLessThan(mostUnitBytes / 100);
  expect(await readUnit(padded(mostBytesHere), nowhere)).toEqual(unit);
  const elsewhere = async (packed: Uint8Array) => arrivedUnit(packed);
  const { branch: _, ...arrived } = unit;
  expect(await readUnit(padded(mostUnitBytes), elsewhere)).toEqual(arrived);
  expect(await readUnit(padded(mostUnitBytes + 1), elsewhere)).toBe(undefined);
});

test('a unit that another machine could not read is not mistaken for an empty one', async () => {
  const large = deflateRawSync(JSON.stringify(unit).padEnd(mostBytesHere + 1), { level: 1 });
  const ended = () => Promise.reject(new Error('the thread ended'));
  await expect(readUnit(large, ended)).rejects.toThrow('the thread ended');
  expect(await readUnit(Buffer.from('nothing that was packed'), ended)).toBe(undefined);
});

test('a unit that edges would refuse is not packed', () => {
  const large = (size: number) => packUnit({ ...unit, branch: 'x'.repeat(size) });
  expect(large(mostUnitBytes)).toBe('many');
  expect(large(mostUnitBytes / 2)).toBeInstanceOf(Buffer);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-units-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('records that exceed a unit together are left to a snapshot', () => {
  const databases = openDatabases({ folder, migrations, newId: randomUUID, now: Date.now });
  captureChanges(databases.main);
  const add = databases.main.prepare(
    "INSERT INTO plans (name, permissions, limits, features) VALUES (?, ?, '{}', '{}')",
  );
  for (const name of ['one', 'two']) add.run(name, JSON.stringify(['x'.repeat(600)]));
  expect(readChanges(databases.main, 0, { mostBytes: 1_000 })).toBe('many');
  expect(readChanges(databases.main, 0, { mostBytes: 2_000 })).toMatchObject({ tables: { plans: {} } });
  databases.close();
});
