import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeOver } from '../../../main/storage/write-over.ts';

const old = 'what was there before';
const bytes = new TextEncoder().encode('what comes now');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-over-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('a file that is saved over another', () => {
  test('keeps its rights and leaves nothing beside', async () => {
    const path = join(folder, 'links.csv');
    writeFileSync(path, old);
    chmodSync(path, 0o640);
    await writeOver(path, bytes);
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['links.csv']);
  });

  test('goes where a link leads, and the link stays', async () => {
    mkdirSync(join(folder, 'elsewhere'));
    const target = join(folder, 'elsewhere', 'links.csv');
    const links = [
      ['full', () => writeFileSync(target, old)],
      ['empty', () => rmSync(target)],
    ] as const;
    for (const [name, prepare] of links) {
      prepare();
      const link = join(folder, name);
      symlinkSync(join('elsewhere', 'links.csv'), link);
      await writeOver(link, bytes);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(target)).toEqual(Buffer.from(bytes));
    }
  });

  test('is refused where a folder, a pipe or a circle of links lies, which stay', async () => {
    const at = (name: string) => join(folder, name);
    mkdirSync(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync(at('circle'), at('circle'));
    await expect(writeOver(at('folder'), bytes)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(writeOver(at('pipe'), bytes)).rejects.toMatchObject({ code: 'ENOTSUP' });
    await expect(writeOver(at('circle'), bytes)).rejects.toMatchObject({ code: 'ELOOP' });
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['circle', 'folder', 'pipe']);
  });
});
