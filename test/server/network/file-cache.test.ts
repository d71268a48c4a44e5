import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileCache, fileCache, NoRoom } from '../../../server/network/fleet/file-cache.ts';

let folder: string;
let lines: object[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-cache-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mib = 2 ** 20;
const log = { warn: (line: object) => void lines.push(line) };
const open = (mostBytes = 100, freeBytes?: () => Promise<number>): FileCache =>
  fileCache({ folder, mostBytes, freeBytes, log });
/** A name as the origin gives contents. */
const named = (letter: string): string => letter.repeat(32);

function receive(cache: FileCache, letter: string, size: number): Promise<boolean> {
  return cache.receive(named(letter), size, async (write) => {
    await write(Buffer.alloc(size, letter));
    return true;
  });
}

async function read(cache: FileCache, letter: string, size: number): Promise<string | undefined> {
  const content = await cache.open(named(letter), size);
  if (!content) return undefined;
  try {
    return (await buffer(content.createReadStream({ autoClose: false }))).toString();
  } finally {
    await content.close();
  }
}

describe("an edge's stored files", () => {
  it('are limited, and the least recently used is removed first', async () => {
    const cache = open();
    for (const letter of ['a', 'b', 'c']) await receive(cache, letter, 30);
    expect(await read(cache, 'a', 30)).toBe('a'.repeat(30));
    await receive(cache, 'd', 30);
    expect(await read(cache, 'b', 30)).toBeUndefined();
    expect(readdirSync(folder).length).toBe(4);
    for (const letter of ['a', 'c', 'd']) expect(await read(cache, letter, 30)).toBe(letter.repeat(30));
  });

  it('survive a restart, and are removed in the same order', async () => {
    const first = open();
    for (const letter of ['a', 'b', 'c']) await receive(first, letter, 30);
    for (const [age, name] of readdirSync(folder).sort().reverse().entries()) {
      const at = new Date(Date.UTC(2026, 0, 1, age));
      if (name !== 'tmp') utimesSync(join(folder, name), at, at);
    }
    const cache = open();
    await receive(cache, 'd', 30);
    expect(await read(cache, 'c', 30)).toBeUndefined();
    expect(await read(cache, 'a', 30)).toBe('a'.repeat(30));
  });

  it('stay while somebody downloads them, even if another needs the space', async () => {
    const cache = open();
    await receive(cache, 'a', 60);
    const content = await cache.open(named('a'), 60);
    await expect(receive(cache, 'b', 60)).rejects.toThrow(NoRoom);
    expect(await read(cache, 'a', 60)).toBe('a'.repeat(60));
    await content?.close();
    expect(await receive(cache, 'b', 60)).toBe(true);
    expect(await read(cache, 'a', 60)).toBeUndefined();
  });

  it('are read to the end even if removed meanwhile', async () => {
    const cache = open(10 * mib);
    await receive(cache, 'a', 5 * mib);
    const content = await cache.open(named('a'), 5 * mib);
    const stream = content?.createReadStream({ autoClose: false, highWaterMark: 64 * 1024 });
    const pieces = stream?.[Symbol.asyncIterator]();
    await pieces?.next();
    await cache.keepOnly(() => false);
    expect(readdirSync(folder)).toEqual(['tmp']);
    let bytes = 64 * 1024;
    for (let next = await pieces?.next(); next && !next.done; next = await pieces?.next())
      bytes += next.value.length;
    expect(bytes).toBe(5 * mib);
    await content?.close();
    expect(await cache.open(named('a'), 5 * mib)).toBeUndefined();
  });

  it('leave free space on the disk: the oldest is removed, and if that is not enough, the new one is refused', async () => {
    let free = 400 * mib;
    const cache = open(2_000 * mib, async () => free);
    await receive(cache, 'a', 10);
    free = 100 * mib;
    await expect(receive(cache, 'b', 10)).rejects.toThrow('The disk of this edge has no room for a file.');
    expect(await read(cache, 'a', 10)).toBeUndefined();
    free = 400 * mib;
    expect(await receive(cache, 'b', 10)).toBe(true);
  });

  it('are never partial: incomplete and interrupted ones are removed, also after a crash', async () => {
    const cache = open();
    const short = cache.receive(named('a'), 10, async (write) => {
      await write(Buffer.alloc(9));
      return true;
    });
    await expect(short).rejects.toThrow('9 of 10 bytes');
    const broken = cache.receive(named('a'), 10, async (write) => {
      await write(Buffer.alloc(5));
      throw new Error('the line broke');
    });
    await expect(broken).rejects.toThrow('the line broke');
    expect(await read(cache, 'a', 10)).toBeUndefined();
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    // What broke off takes no room either.
    expect(await receive(cache, 'b', 100)).toBe(true);
  });

  it('larger than the whole space are refused by name, and displace no other file', async () => {
    const cache = open();
    await receive(cache, 'a', 30);
    await expect(receive(cache, 'b', 101)).rejects.toThrow('keeps at most');
    expect(await read(cache, 'a', 30)).toBe('a'.repeat(30));
  });
});
