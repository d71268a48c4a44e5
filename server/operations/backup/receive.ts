import { open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { receiveBody, uploadPace } from '../../content/files/receive.ts';
import { syncFolder } from '../../platform/database/disk.ts';
import { freeBytesOf } from '../../platform/database/disk-space.ts';
import { diskFull, rejected } from '../../platform/errors.ts';
import { draftOf } from './store.ts';

/** Space to leave free on the disk, which the running server needs (T-16). */
const floor = 256 * 1024 * 1024;
/** How often, in bytes, the free space is checked. */
const stride = 64 * 1024 * 1024;

/**
 * Streams the body of a request to a file, which gets its name only once it is complete and synced. The only limit is
 * the disk: a backup is as large as an instance. Throws 400 `incomplete_body`, 408 or 507.
 */
export async function receiveBackup(request: IncomingMessage, path: string): Promise<void> {
  const draft = draftOf(path);
  const folder = dirname(path);
  const declared = Number(request.headers['content-length'] ?? 0);
  await checkSpace(folder, declared);
  const handle = await open(draft, 'wx', 0o600);
  try {
    let checkedAt = 0;
    const size = await receiveBody(request, uploadPace, async (chunk, received) => {
      if (received - checkedAt > stride) {
        checkedAt = received;
        await checkSpace(folder, Math.max(0, declared - received));
      }
      for (let written = 0; written < chunk.length; ) {
        written += (await handle.write(chunk, written, chunk.length - written)).bytesWritten;
      }
    });
    if (size === 0) throw rejected('required', 'body', 'Send the backup file as the body.');
    await handle.sync();
    await handle.close();
    await rename(draft, path);
    syncFolder(folder);
  } catch (error) {
    // Closed already, when it is the rename that failed.
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

async function checkSpace(folder: string, needed: number): Promise<void> {
  if ((await freeBytesOf(folder)) - needed < floor) throw diskFull();
}
