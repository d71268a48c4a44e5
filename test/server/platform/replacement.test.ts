import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  dropReplacement,
  finishReplacement,
  isReplacementOrdered,
  orderReplacement,
  prepareReplacement,
} from '../../../server/platform/database/replacement.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-replace-'));
  for (const name of [
    'waypost.sqlite',
    'waypost.sqlite-wal',
    'waypost.sqlite-shm',
    'vault.key',
    'instance.json',
    'files/one',
  ]) {
    put(name, 'old');
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function order(keepReplaced = false): void {
  prepareReplacement(folder);
  for (const name of ['waypost.sqlite', 'vault.key', 'instance.json', 'files/two'])
    put(`restore/staged/${name}`, 'new');
  orderReplacement(folder, { keepReplaced });
}

const read = (name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null;

function expectNew(): void {
  expect([read('waypost.sqlite'), read('vault.key'), read('instance.json')]).toEqual(['new', 'new', 'new']);
  // What belonged to the old database must never meet the new one.
  expect([read('waypost.sqlite-wal'), read('waypost.sqlite-shm')]).toEqual([null, null]);
  expect(readdirSync(join(folder, 'files'))).toEqual(['two']);
  expect(isReplacementOrdered(folder)).toBe(false);
  expect(existsSync(join(folder, 'restore', 'staged'))).toBe(false);
}

/** The renames in their order; a process that dies has made the first few of them. */
const renames = [
  ['waypost.sqlite-wal', 'restore/replaced/waypost.sqlite-wal'],
  ['waypost.sqlite-shm', 'restore/replaced/waypost.sqlite-shm'],
  ...['waypost.sqlite', 'files', 'vault.key', 'instance.json'].flatMap((name) => [
    [name, `restore/replaced/${name}`],
    [`restore/staged/${name}`, name],
  ]),
] as [string, string][];

test.each(renames.map((_, made) => made).concat(renames.length))(
  'a replacement that ended after %i of its steps is finished by the next start (F-14)',
  (made) => {
    order();
    mkdirSync(join(folder, 'restore', 'replaced'), { recursive: true });
    for (const [from, to] of renames.slice(0, made)) renameSync(join(folder, from), join(folder, to));
    expect(finishReplacement(folder)).toBe(true);
    expectNew();
    expect(finishReplacement(folder)).toBe(false);
  },
);

test('nothing changes before it is ordered, and prepared data can be dropped', () => {
  prepareReplacement(folder);
  put('restore/staged/waypost.sqlite', 'new');
  expect(finishReplacement(folder)).toBe(false);
  expect(read('waypost.sqlite')).toBe('old');
  dropReplacement(folder);
  expect(existsSync(join(folder, 'restore', 'staged'))).toBe(false);
});

test('what it replaced is kept aside on request', () => {
  order(true);
  finishReplacement(folder);
  expectNew();
  expect(read('restore/replaced/waypost.sqlite')).toBe('old');
  expect(read('restore/replaced/files/one')).toBe('old');
});
