// instances.json as somebody may find it: written by hand, by another version, or by two programs one after the other.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knownInstances, localId, storedInstances } from '../../../main/instances/instances.ts';
import { jsonFile } from '../../../main/storage/json-file.ts';
import { fakeServer, memorySecrets } from '../../support/desktop-parts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-instances-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const row = (id: string, more: object = {}) => ({
  ...{ id, name: `Named ${id}`, color: 'blue', origin: `https://${id}.example` },
  ...more,
});

/** The app after a start with these rows in its file. */
function startWith(remotes: unknown, current: unknown = 'a') {
  const path = join(folder, 'instances.json');
  writeFileSync(path, JSON.stringify({ remotes, current }));
  const told: string[] = [];
  const file = jsonFile({
    path,
    schema: storedInstances,
    empty: { remotes: [], current: localId },
    onDamage: (message) => told.push(message),
  });
  const instances = knownInstances({
    file,
    secrets: memorySecrets({ 'https://a.example': 'key of a' }),
    server: fakeServer(),
    onNotWritten: (message) => told.push(message),
  });
  return { path, told, instances, ids: instances.list().map(({ id }) => id) };
}

test('of two rows with the same id or address the first counts, and it alone is removed', () => {
  const { instances, ids, told, path } = startWith([
    row('a'),
    row('a', { origin: 'https://other.example' }),
    row('b', { origin: 'https://a.example' }),
    row('c'),
  ]);
  expect(ids).toEqual(['local', 'a', 'c']);
  expect(instances.findTarget('a')).toMatchObject({ origin: 'https://a.example' });
  expect(told.join()).toContain('could not be understood in parts. It was moved to instances.json.damaged.');
  expect(JSON.parse(readFileSync(`${path}.damaged`, 'utf8')).remotes).toHaveLength(4);
  instances.remove('a');
  expect(JSON.parse(readFileSync(path, 'utf8')).remotes).toEqual([row('c')]);
});

test('a permission to send the key unencrypted lasts under its earlier name, and once withdrawn is gone', async () => {
  const origin = 'http://links.example';
  const { instances, ids, told, path } = startWith([row('b', { origin, allowsPlain: true })]);
  expect([ids, told]).toEqual([['local', 'b'], []]);
  await instances.keepKey('b', 'key of b');
  expect(instances.list()[1]).toMatchObject({ signedIn: true, allowsInsecure: true });
  instances.edit('b', { name: 'B', color: 'rose', origin });
  const again = startWith(JSON.parse(readFileSync(path, 'utf8')).remotes).instances;
  await expect(again.keepKey('b', 'key of b')).rejects.toThrow();
  expect(again.list()[1]).not.toHaveProperty('allowsInsecure');
});

test('a row that calls itself this computer, or leads to no server, costs no other', () => {
  const { instances, ids } = startWith([
    row('local'),
    row(''),
    row('d', { origin: 'https://d.example/path' }),
    row('e', { origin: 'HTTPS://E.EXAMPLE' }),
    row('f', { origin: 'file:///etc/passwd' }),
    row('g', { origin: null }),
    'nonsense',
    null,
    row('a'),
    row('a'),
  ]);
  expect(ids).toEqual(['local', 'a']);
  expect(instances.current()).toBe('a');
  expect(instances.list()).toMatchObject([{ kind: 'local' }, { signedIn: true }]);
});

test('of thousands of rows as many are kept as there may be', () => {
  const { instances, ids, told } = startWith(
    Array.from({ length: 5_000 }, (_, index) => row(`r${Math.floor(index / 2)}`)),
  );
  expect(ids).toHaveLength(101);
  expect(ids.at(-1)).toBe('r99');
  expect(told).toHaveLength(1);
  expect(() => instances.add({ name: 'One more', color: 'blue', origin: 'https://more.example' })).toThrow(
    'at most 100',
  );
});

test('a kind of a newer version is left as it is, and is an instance as any other', () => {
  const { instances, told, path } = startWith([row('a', { kind: 'cluster', replicas: [1, 2] })]);
  expect(instances.list()[1]).toMatchObject({ id: 'a', kind: 'remote' });
  expect(told).toEqual([]);
  instances.select('local');
  expect(JSON.parse(readFileSync(path, 'utf8')).remotes).toEqual([
    row('a', { kind: 'cluster', replicas: [1, 2] }),
  ]);
  expect(existsSync(`${path}.damaged`)).toBe(false);
});

test('an instance shown last that is none is this computer', () => {
  expect(startWith([row('a')], 'gone').instances.current()).toBe('local');
  expect(startWith([row('a')], 7)).toMatchObject({ ids: ['local', 'a'] });
});
