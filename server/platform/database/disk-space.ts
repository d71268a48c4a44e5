import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Connection } from './connect.ts';

/** `low`: clicks are no longer stored. `full`: nothing is written except what frees space. */
type DiskState = 'ok' | 'low' | 'full';

export interface DiskSpace {
  state(): DiskState;
  /** Bytes that this program can still write; null if the system does not report it. */
  freeBytes(): number | null;
  /** Checks the disk before a user's write; false if it is full. There is still room for writes that free space. */
  mayWrite(): boolean;
  /** Reports an error; if it says that the disk is full, the reserve is released. */
  noteFault(error: unknown): void;
  /** Checks the disk, and leaves `full` when there is space again. Called by a timer. */
  look(): Promise<void>;
  close(): void;
}

/** Free bytes that this program can use. */
export interface DiskBytes {
  free: number;
  total: number;
}

interface Options {
  folder: string;
  /** The connection for user data: pages of deleted rows count as free space as well. */
  database: Connection;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** Milliseconds between two checks. */
  lookMs?: number | undefined;
  /** Throws if the system does not report it. */
  bytesOf?: (folder: string) => DiskBytes;
}

/** A file in the data folder: space reserved for deleting when the disk is full. */
export const reserveName = 'reserve';
const kib = 1024;
const mib = 1024 * kib;

/**
 * Monitors the disk of the data folder. Deleting also writes, so on a completely full disk nothing could be deleted. A
 * reserve file is therefore released when the disk is full; from then on only writes that free space are allowed, and
 * the file is recreated once there is enough space.
 */
export function diskSpace({
  folder,
  database,
  log,
  lookMs = 2_000,
  bytesOf = diskBytesOf,
}: Options): DiskSpace {
  const file = join(folder, reserveName);
  let state: DiskState = 'ok';
  let free: number | null = null;
  let making: Promise<void> | undefined;
  let closed = false;
  const timer = setInterval(() => void look(), lookMs);
  timer.unref();

  function measure(): DiskBytes | undefined {
    try {
      const bytes = bytesOf(folder);
      free = bytes.free;
      return bytes;
    } catch {
      // Some network and virtual file systems do not report it: only errors tell then.
      free = null;
      return undefined;
    }
  }

  function enterFull(error?: unknown): void {
    const wasFull = state === 'full';
    state = 'full';
    rmSync(file, { force: true });
    if (!wasFull)
      log.error({ err: error, free }, 'the disk is full: only writes that free space are accepted');
  }

  /** Deleted rows leave pages in the database that new rows reuse. */
  function unusedBytes(): number {
    const pages = Number(database.pragma('freelist_count', { simple: true }));
    return pages * Number(database.pragma('page_size', { simple: true }));
  }

  /** The size of the reserve that can be recreated; undefined while there is too little space. */
  function affordableReserve({ free: bytes, total }: DiskBytes): number | undefined {
    const whole = reserveSize(total);
    if (bytes >= whole * 1.5) return whole;
    const part = bytes - whole / 2;
    return part >= whole / 8 && unusedBytes() >= whole ? part : undefined;
  }

  function judge(bytes: DiskBytes): void {
    if (state === 'full') return;
    const next = bytes.free < clickFloor(bytes.total) ? 'low' : 'ok';
    if (next !== state) log.warn({ free: bytes.free }, `the space on the disk is ${next}`);
    state = next;
  }

  async function makeReserve(size: number): Promise<void> {
    const draft = `${file}.new`;
    try {
      await rm(draft, { force: true });
      const handle = await open(draft, 'wx', 0o600);
      try {
        // Random, because some file systems do not store zeros.
        const chunk = randomBytes(Math.min(size, mib));
        for (let left = size; left > 0; left -= chunk.length) {
          await handle.writeFile(chunk.subarray(0, Math.min(left, chunk.length)));
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (closed) await rm(draft, { force: true });
      else await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      log.warn({ err: error }, 'the disk space reserve could not be created');
    }
  }

  async function look(): Promise<void> {
    if (closed || making) return making;
    const bytes = measure();
    if (!bytes) return;
    if (state !== 'full' && bytes.free < fullBelow(bytes.total)) enterFull();
    if (existsSync(file)) {
      judge(bytes);
      return;
    }
    const size = affordableReserve(bytes);
    if (size === undefined) {
      judge(bytes);
      return;
    }
    making = makeReserve(size).finally(() => {
      making = undefined;
    });
    await making;
    if (!existsSync(file)) return;
    if (state === 'full') {
      state = 'ok';
      log.info('there is space on the disk again: all writes are accepted');
    }
    const after = measure();
    if (after) judge(after);
  }

  return {
    state: () => state,
    freeBytes: () => free,
    mayWrite() {
      const bytes = measure();
      if (bytes && state !== 'full' && bytes.free < fullBelow(bytes.total)) enterFull();
      return state !== 'full';
    },
    noteFault(error) {
      if (isDiskFull(error)) enterFull(error);
    },
    look,
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

/**
 * EDQUOT is the quota of the server's user. If there is no room for SQLite's shared-memory file, SQLite names that
 * file (https://www.sqlite.org/rescode.html#ioerr_shmsize).
 */
const fullCodes = ['ENOSPC', 'EDQUOT', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_FULL'];

/** Whether an error means that the disk, or this user's quota, is full. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && fullCodes.includes(error.code);
}

/** Releases the reserve before a start on a full disk: SQLite needs some blocks to open a database. */
export function makeRoomToOpen(folder: string): void {
  const bytes = tryBytes(folder);
  if (bytes && bytes.free < fullBelow(bytes.total)) rmSync(join(folder, reserveName), { force: true });
}

function tryBytes(folder: string): DiskBytes | undefined {
  try {
    return diskBytesOf(folder);
  } catch {
    // See `measure`.
    return undefined;
  }
}

function diskBytesOf(folder: string): DiskBytes {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Bytes that other programs can still write to a folder's disk. Throws if the system does not report it. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** 8 MiB, less on a small disk. */
function reserveSize(total: number): number {
  return Math.round(Math.max(512 * kib, Math.min(8 * mib, total / 20)));
}

/** Below this, a write might use the space that the last deletion needs. */
function fullBelow(total: number): number {
  return reserveSize(total) / 4;
}

/** Below this, clicks are not stored: 64 MiB, less on a small disk, remain for user data. */
function clickFloor(total: number): number {
  return Math.max(fullBelow(total) * 2, Math.min(64 * mib, total / 20));
}
