import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { freeBytesOf } from '../../platform/database/disk-space.ts';
import type { OpenContent } from '../../visits/redirects/shared-files.ts';

interface Options {
  /** Created if missing. */
  folder: string;
  /** Bytes that contents may take together. */
  mostBytes: number;
  /** Bytes that other programs could still write to the disk of a folder. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  log: Pick<Logger, 'warn'>;
}

interface Kept {
  /** `<storage>-<SHA-256 of the content>`. */
  name: string;
  size: number;
  /** How many read it now. */
  readers: number;
  /** The result of verifying its checksum; undefined if not verified since the start. */
  check: Promise<boolean> | undefined;
}

/** There is no room for a content; the message is for the log of the edge. */
export class NoRoom extends Error {}

/** Space that contents leave on the disk: clicks need some. */
const freeFloor = 256 * 2 ** 20;
const mib = 2 ** 20;
/** Contents checked before yielding. */
const lookedUpAtOnce = 200;
const nameForm = /^([0-9a-f]{32})-([0-9a-f]{64})$/;

/**
 * Contents of files that an edge fetched, by their name at the origin and their checksum. The least recently used are
 * evicted first. A content exists completely or not at all, and a corrupted one counts as missing.
 */
export function fileCache({ folder, mostBytes, freeBytes = freeBytesOf, log }: Options) {
  const temporaryFolder = join(folder, 'tmp');
  const pathOf = (name: string) => join(folder, name);
  /** By storage name, least recently used first. */
  const contents = new Map<string, Kept>();
  /** Bytes of contents that are on their way. */
  let arriving = 0;
  /** Making room is done by one at a time: two would count the same space. */
  let makingRoom: Promise<unknown> = Promise.resolve();

  rmSync(temporaryFolder, { recursive: true, force: true });
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  for (const { name, size } of foundIn(folder)) {
    contents.set(name.slice(0, 32), { name, size, readers: 0, check: undefined });
  }

  async function remove(storage: string): Promise<void> {
    const kept = contents.get(storage);
    contents.delete(storage);
    // Open readers can continue.
    if (kept) await rm(pathOf(kept.name), { force: true });
  }

  const total = () => [...contents.values()].reduce((sum, { size }) => sum + size, arriving);

  /** Removes the least recently used contents until a content fits. Throws NoRoom. */
  async function makeRoom(size: number): Promise<void> {
    if (size > mostBytes) {
      throw new NoRoom(
        `A file has ${megabytes(size)} MB, and this edge keeps at most ${megabytes(mostBytes)} MB of files.`,
      );
    }
    for (;;) {
      const isFull = total() + size > mostBytes;
      const isTight = (await freeBytes(folder)) - size < freeFloor;
      if (!isFull && !isTight) break;
      const [oldest] = [...contents].find(([, { readers }]) => readers === 0) ?? [];
      if (oldest === undefined) {
        throw new NoRoom(
          isFull
            ? 'All files stored on this edge are being downloaded, so there is no room for another one.'
            : 'The disk of this edge has no room for a file. Free some space, or use a larger disk.',
        );
      }
      await remove(oldest);
    }
    arriving += size;
  }

  /** Whether a content still matches its checksum; checked once per start. */
  async function isWhole({ name, size }: Kept): Promise<boolean> {
    const hash = createHash('sha256');
    let read = 0;
    try {
      const handle = await open(pathOf(name), 'r');
      for await (const piece of handle.createReadStream({ highWaterMark: 256 * 1024 })) {
        hash.update(piece as Buffer);
        read += (piece as Buffer).length;
      }
    } catch {
      // Deleted, or unreadable: it is fetched again.
      return false;
    }
    return read === size && nameForm.exec(name)?.[2] === hash.digest('hex');
  }

  return {
    /** Opens a content that is here; undefined where it is not. */
    async open(storage: string, size: number): Promise<OpenContent | undefined> {
      const kept = contents.get(storage);
      if (!kept) return undefined;
      kept.readers += 1;
      try {
        kept.check ??= isWhole(kept);
        if (kept.size !== size || !(await kept.check)) {
          log.warn({ file: kept.name }, 'a file on this edge was damaged and is fetched again');
          if (contents.get(storage) === kept) await remove(storage);
          return undefined;
        }
        const path = pathOf(kept.name);
        const handle = await open(path, 'r').catch(() => undefined);
        if (!handle) {
          if (contents.get(storage) === kept) contents.delete(storage);
          return undefined;
        }
        if (contents.delete(storage)) contents.set(storage, kept);
        const now = new Date();
        await utimes(path, now, now).catch(() => {});
        kept.readers += 1;
        return {
          createReadStream: (given) => handle.createReadStream(given),
          async close() {
            kept.readers -= 1;
            await handle.close();
          },
        };
      } finally {
        kept.readers -= 1;
      }
    },

    /**
     * Stores a content: `fill` writes its bytes and returns once they are verified, or false if there are none. Throws
     * NoRoom and the errors of `fill`, leaving nothing behind.
     */
    async receive(
      storage: string,
      size: number,
      fill: (write: (bytes: Buffer) => Promise<void>) => Promise<boolean>,
    ): Promise<boolean> {
      const room = makingRoom.then(() => makeRoom(size));
      makingRoom = room.catch(() => {});
      await room;
      const temporary = join(temporaryFolder, randomUUID());
      try {
        const handle = await open(temporary, 'wx', 0o600);
        const hash = createHash('sha256');
        let written = 0;
        let isFilled = false;
        try {
          isFilled = await fill(async (bytes) => {
            hash.update(bytes);
            written += bytes.length;
            await handle.writeFile(bytes);
          });
        } finally {
          await handle.close();
        }
        if (!isFilled) return false;
        if (written !== size) throw new Error(`${written} of ${size} bytes of ${storage} came`);
        const name = `${storage}-${hash.digest('hex')}`;
        await rename(temporary, pathOf(name));
        contents.set(storage, { name, size, readers: 0, check: Promise.resolve(true) });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        throw new NoRoom('The disk of this edge is full, so a file could not be stored.', { cause: error });
      } finally {
        arriving -= size;
        await rm(temporary, { force: true });
      }
    },

    /** Removes contents that belong to no file any more. */
    async keepOnly(isStored: (storage: string) => boolean): Promise<void> {
      for (const [index, storage] of [...contents.keys()].entries()) {
        if (index % lookedUpAtOnce === lookedUpAtOnce - 1) await nextTurn();
        if (!isStored(storage)) await remove(storage);
      }
    },
  };
}

export type FileCache = ReturnType<typeof fileCache>;

/** The contents of a folder, least recently used first. Other files are not ours. */
function foundIn(folder: string): { name: string; size: number }[] {
  return readdirSync(folder)
    .filter((name) => nameForm.test(name))
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return { name, size, mtimeMs };
    })
    .sort((one, other) => one.mtimeMs - other.mtimeMs);
}

const megabytes = (bytes: number): number => Math.ceil(bytes / mib);
