// A data folder in which something else has the place of a file of ours, by an accident or a stranger: the start is
// refused at once, in a sentence that names it.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { openDatabases } from '../../../server/platform/database/open.ts';
import { DatabaseRefused } from '../../../server/platform/database/refused.ts';
import { findVaultKey } from '../../../server/platform/vault.ts';
import { smallDisk } from '../../support/small-disk.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'waypost-folder é ')), 'data');
});
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

const openIn = (path: string) =>
  openDatabases({ folder: path, migrations, newId: () => 'an id', now: () => 0 });
const open = () => openIn(folder);

function refusal(path = folder): string {
  try {
    openIn(path).close();
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseRefused);
    return (error as Error).message;
  }
  throw new Error('The folder was opened.');
}

const files = [
  'instance.json',
  'instance.lock',
  'soundness.json',
  'vault.key',
  'vault.key.new',
  'waypost.sqlite',
];
const folders = ['certificates', 'files', 'files/tmp', 'restore'];

describe('a data folder is refused and unchanged', () => {
  test.skipIf(process.platform === 'win32').each([...files, 'certificates', 'files'])(
    'with a pipe in the place of %s',
    (name) => {
      mkdirSync(folder, { recursive: true });
      execFileSync('mkfifo', [join(folder, name)]);
      expect(refusal()).toContain(join(folder, name));
      expect(readdirSync(folder)).toEqual([name]);
    },
  );

  test.each(files)('with a folder in place of %s', (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    expect(refusal()).toContain(`${join(folder, name)} is no file`);
  });

  test.each(folders)('with a file in place of the folder %s', (name) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'a file');
    expect(refusal()).toContain(`${join(folder, name)} is no folder`);
  });

  test.each(['', 'files'])('with a link to a missing disk in its place (%j)', (name) => {
    if (name) mkdirSync(folder);
    const gone = join(dirname(folder), 'disk', 'waypost');
    const place = join(folder, name);
    symlinkSync(gone, place, 'junction');
    expect(refusal()).toBe(
      `${place} is a link to ${gone}, which is not there. Connect the disk that it is on, or choose another data folder.`,
    );
    // With the disk back, all goes on.
    mkdirSync(gone, { recursive: true });
    open().close();
  });

  test('that is a file itself', () => {
    writeFileSync(folder, 'a file');
    expect(refusal()).toContain('Name another data folder');
  });
});

describe('an oversized file', () => {
  /** Right as far as it goes, and a megabyte of nothing: who parses all of it would parse a gigabyte as well. */
  const swell = (name: string, text: string) =>
    writeFileSync(join(folder, name), text + ' '.repeat(1_000_000));

  test('in place of the identity is reported, not parsed', () => {
    open().close();
    swell('instance.json', '{"id":"an id"}');
    expect(refusal()).toContain(`${join(folder, 'instance.json')} cannot be read`);
  });

  test('in place of the key is not a key', () => {
    open().close();
    swell('vault.key', randomBytes(32).toString('base64'));
    expect(findVaultKey(folder)).toBeUndefined();
  });

  test('in place of the last check result does not prevent opening the folder', () => {
    open().close();
    swell('soundness.json', '{"at":0,"fault":"page 3"}');
    open().close();
    expect(statSync(join(folder, 'soundness.json')).size).toBeGreaterThan(1_000_000);
  });
});

test('a read-only data folder is refused with instructions, new or not', (context) => {
  const disk = smallDisk(16, 'tmpfs');
  if (!disk) return context.skip('no small disk can be mounted here');
  const used = join(disk.folder, 'used');
  openIn(used).close();
  disk.makeReadOnly();
  try {
    const because =
      'because the disk is read-only. Give the user that runs it access to that place, or choose';
    expect(refusal(used)).toContain(`Waypost cannot write to ${used}, ${because}`);
    const fresh = join(disk.folder, 'new');
    expect(refusal(fresh)).toContain(`Waypost cannot write to ${fresh}`);
  } finally {
    disk.remove();
  }
});

test.skipIf(process.platform !== 'linux')(
  'a data folder where nothing can be created, such as in /proc, is refused without retrying forever',
  () => {
    const places = new URL('../../../server/platform/database/places.ts', import.meta.url).href;
    // In a program of its own: one that never ends takes its thread along.
    const said = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { makeFolder } from ${JSON.stringify(places)};
         try { makeFolder('/proc/.local/share/waypost'); } catch (error) { console.log(error.code, error.message); }`,
      ],
      { encoding: 'utf8', timeout: 30_000, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    expect(said).toContain('data_unwritable Waypost cannot write to /proc/.local/share/waypost.');
    expect(said).toContain('choose another data folder');
  },
);

test.skipIf(process.platform === 'win32').each([
  ['links in a circle', () => symlinkSync(folder, folder), 'its links lead in a circle'],
  ['a file above it', () => writeFileSync(folder, ''), 'a part of that path is no folder'],
])('a data folder behind %s is refused with what to do', (_what, make, why) => {
  mkdirSync(dirname(folder), { recursive: true });
  make();
  const message = refusal(join(folder, 'data'));
  expect(message).toContain(`cannot write to ${join(folder, 'data')}, because ${why}.`);
  expect(message).toContain('choose another data folder');
});

test.for([0, 4_096, 8_192])(
  'a disk on which nothing can be opened is reported as full, %d bytes before that',
  (left, context) => {
    const disk = smallDisk(24);
    if (!disk) return context.skip('no small disk can be mounted here');
    try {
      const path = join(disk.folder, 'data');
      openIn(path).close();
      disk.fill(left);
      expect(() => openIn(path).close()).toThrow('The disk is full. Free some space and start again');
    } finally {
      disk.remove();
    }
  },
);

test('a file of another user in the data folder is named', (context) => {
  open().close();
  const key = join(folder, 'vault.key');
  writeFileSync(key, 'a key', { mode: 0o600 });
  try {
    // Not even the administrator may write to this one, whom permissions do not stop.
    execFileSync('mount', ['--bind', key, key], { stdio: 'pipe' });
  } catch (error) {
    return context.skip(`nothing can be mounted here: ${(error as Error).message}`);
  }
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', key], { stdio: 'pipe' });
    expect(refusal()).toContain(`Waypost cannot write to ${key}`);
  } finally {
    execFileSync('umount', [key]);
  }
});

test('a data folder whose files are elsewhere, by a symbolic link, is opened', () => {
  const elsewhere = join(dirname(folder), 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(folder);
  symlinkSync(elsewhere, join(folder, 'files'), 'junction');
  open().close();
  expect(readdirSync(folder)).toContain('waypost.sqlite');
});
