import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Connection } from './connect.ts';

/** `low`: clicks are no longer written. `full`: nothing is written but what frees space. */
type DiskState = 'ok' | 'low' | 'full';

export interface DiskSpace {
  state(): DiskState;
  /** Bytes that this program could still write; null where the system does not say. */
  freeBytes(): number | null;
  /** Looks at the disk before a write of a user; false when it is full, and then there is room for what frees space. */
  mayWrite(): boolean;
  /** Told of an error; when it says that the disk is full, the reserve is given up. */
  noteFault(error: unknown): void;
  /** Looks at the disk now, and gets out of `full` when there is space again. A timer does so. */
  look(): Promise<void>;
  close(): void;
}

/** Bytes of a disk, as far as they are of use to this program. */
export interface DiskBytes {
  free: number;
  total: number;
}

interface Options {
  folder: string;
  /** The connection for what users do: pages of deleted rows are space as well. */
  database: Connection;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** Milliseconds between two looks. */
  lookMs?: number | undefined;
  /** Throws where the system does not say. */
  bytesOf?: (folder: string) => DiskBytes;
}

/** In the data folder: space that is kept for deleting on a disk that is full otherwise. */
export const reserveName = 'reserve';
const kib = 1024;
const mib = 1024 * kib;

/**
 * Watches the disk of the data folder. Deleting writes too: on a disk that is full to its last block nothing could ever
 * be deleted. So a file is kept that is given up when the disk is full; from then on only what frees space is written,
 * and once there is enough the file is made again.
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
      // Some network and virtual systems do not say: then only errors tell.
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

  /** Rows that were deleted leave pages in the database that new ones use. */
  function unusedBytes(): number {
    const pages = Number(database.pragma('freelist_count', { simple: true }));
    return pages * Number(database.pragma('page_size', { simple: true }));
  }

  /** The size of the reserve that can be made again; undefined while there is too little space for one. */
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
        // Random, because some file systems store nothing for zeros.
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
 * EDQUOT is the quota of the account that the server runs under; where the file that SQLite shares memory by finds no
 * room, SQLite names that file (https://www.sqlite.org/rescode.html#ioerr_shmsize).
 */
const fullCodes = ['ENOSPC', 'EDQUOT', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_FULL'];

/** Whether an error says that the disk, or what this account may use of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && fullCodes.includes(error.code);
}

/** Gives the reserve up where a start would find the disk full: SQLite needs some blocks to open a database. */
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

/** Bytes that other programs could still write to the disk of a folder. Throws where the system does not say. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** 8 MiB, and less on a small disk. */
function reserveSize(total: number): number {
  return Math.round(Math.max(512 * kib, Math.min(8 * mib, total / 20)));
}

/** With less than this a write might take what the last deletion needs. */
function fullBelow(total: number): number {
  return reserveSize(total) / 4;
}

/** Below this clicks are not written: 64 MiB, and less on a small disk, remain for what people do. */
function clickFloor(total: number): number {
  return Math.max(fullBelow(total) * 2, Math.min(64 * mib, total / 20));
}
