// A disk that fills up while the desktop writes: what was there before is what is there afterwards.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { autostart } from '../../../main/shell/autostart.ts';
import { jsonFile } from '../../../main/storage/json-file.ts';
import { writeOver } from '../../../main/storage/write-over.ts';
import { anotherName } from '../../support/names.ts';
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts';

describe.each(['ext4', 'tmpfs'] as const)('on %s', (kind) => {
  let disk: SmallDisk | undefined;
  beforeAll(() => {
    disk = smallDisk(16, kind);
  });
  afterAll(() => disk?.remove());
  beforeEach((context) => {
    context.skip(!disk, 'no small disk can be mounted here');
    disk?.release();
  });

  test('a file that is saved over another leaves that one whole', async () => {
    const path = placeOf('links.csv');
    const old = 'a link,'.repeat(10_000);
    writeFileSync(path, old);
    disk?.fill();
    await expect(writeOver(path, Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(path, 'utf8')).toBe(old);
    disk?.release();
    await writeOver(path, Buffer.from('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('settings that do not fit any more are refused, and those of before stay', () => {
    const path = placeOf('settings.json');
    const schema = z.object({ text: z.string() });
    const file = () => jsonFile({ path, schema, empty: { text: '' }, onDamage: (why) => told.push(why) });
    const told: string[] = [];
    file().write({ text: 'of before' });
    // Room for a part of it.
    disk?.fill(40_960);
    expect(() => file().write({ text: 'x'.repeat(400_000) })).toThrow('Make room on that disk');
    expect(file().read()).toEqual({ text: 'of before' });
    expect(told).toEqual([]);
    expect(readdirSync(disk?.folder ?? '').filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('a start at sign-in that cannot be written is refused, and is not half there', () => {
    const folder = placeOf(anotherName('autostart'));
    const entry = autostart({ folder, program: `/opt/${'way post '.repeat(1_000)}`, switches: [] });
    disk?.fill();
    expect(() => entry.set(true)).toThrow('The start at sign-in cannot be changed');
    expect(entry.isSet()).toBe(false);
    disk?.release();
    entry.set(true);
    expect(entry.isSet()).toBe(true);
  });

  function placeOf(name: string): string {
    return join(disk?.folder ?? '', name);
  }
});
