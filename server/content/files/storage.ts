import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { freeBytesOf } from '../../platform/database/disk-space.ts';
import { diskFull, tooLarge } from '../../platform/errors.ts';
import { type Pace, receiveBody } from './receive.ts';

/** A content that has been synced to disk. */
export interface StoredContent {
  /** Its random file name; the owner's name for it is metadata. */
  storage: string;
  /** Bytes. */
  size: number;
}

export interface FileStorage {
  /**
   * Streams the body of a request to disk; when it resolves, the content survives a power failure. Throws 400
   * `incomplete_body`, 408, 413 over `maxBytes`, 507 if the disk would become too full, and the errors of `onBytes`,
   * which is called with the number of bytes before they are written. Nothing is left after an error.
   */
  receive(
    request: IncomingMessage,
    maxBytes: number,
    onBytes: (received: number) => void,
  ): Promise<StoredContent>;
  /** Opens a content for reading. Throws ENOENT when it is not there. */
  open(storage: string): Promise<FileHandle>;
  remove(storage: string): Promise<void>;
}

interface Options {
  /** Created if missing. */
  folder: string;
  newName: () => string;
  /** Whether a content belongs to a file; others are deleted at startup. */
  isStored: (storage: string) => boolean;
  pace: Pace;
  /** Bytes that other programs could still write to the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** Space that uploads leave on the disk: the database needs some to go on (T-16). */
const freeFloor = 256 * 1024 * 1024;
/** How often, in bytes, the free space is checked during an upload; several may be in progress. */
const spaceStride = 16 * 1024 * 1024;

/**
 * Keeps contents as files of one folder, each under a random name. A content is written to `tmp`, synced, moved, and
 * the folder synced: a temp file and a rename alone lose it in a power cut.
 */
export function fileStorage(options: Options): FileStorage {
  const { folder, newName, pace, freeBytes = freeBytesOf } = options;
  const temporaryFolder = join(folder, 'tmp');
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  sweep(folder, temporaryFolder, options.isStored);

  async function checkSpace(needed: number): Promise<void> {
    if ((await freeBytes(folder)) - needed < freeFloor) throw diskFull();
  }

  return {
    async receive(request, maxBytes, onBytes) {
      const declared = Number(request.headers['content-length'] ?? 0);
      if (declared > maxBytes) throw overLimit(maxBytes);
      await checkSpace(declared);
      const storage = newName();
      const temporary = join(temporaryFolder, storage);
      const final = join(folder, storage);
      const handle = await open(temporary, 'wx', 0o600);
      try {
        let checkedAt = 0;
        const size = await receiveBody(request, pace, async (chunk, received) => {
          if (received > maxBytes) throw overLimit(maxBytes);
          onBytes(received);
          if (received - checkedAt > spaceStride) {
            checkedAt = received;
            await checkSpace(Math.max(0, declared - received));
          }
          await writeWhole(handle, chunk);
        });
        await handle.sync();
        await handle.close();
        await rename(temporary, final);
        await syncFolder(folder);
        return { storage, size };
      } catch (error) {
        // Closed already, when it is the rename or the folder that failed.
        await handle.close().catch(() => {});
        await rm(temporary, { force: true });
        await rm(final, { force: true });
        throw error;
      }
    },
    open: (storage) => open(join(folder, storage), 'r'),
    remove: (storage) => rm(join(folder, storage), { force: true }),
  };
}

/** Deletes leftovers of interrupted uploads and deletions. Runs before the first request, while none is in progress. */
function sweep(folder: string, temporaryFolder: string, isStored: (storage: string) => boolean): void {
  for (const name of readdirSync(temporaryFolder)) rmSync(join(temporaryFolder, name), { force: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && !isStored(entry.name)) rmSync(join(folder, entry.name), { force: true });
  }
}

async function writeWhole(handle: FileHandle, chunk: Buffer): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder this way, and its file system keeps renames in its journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function overLimit(maxBytes: number) {
  return tooLarge(
    `The file is larger than ${Math.floor(maxBytes / 1_000_000)} MB, the limit of this instance.`,
  );
}
