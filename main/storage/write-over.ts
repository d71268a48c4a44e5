import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Rights of a new file, before the system takes away what the person's settings keep from others. */
const usual = 0o666;

/**
 * Writes a file of the person's own: what was there before stays whole until all of the new is on the disk. A link
 * leads on to its file, and a file keeps its rights. Rejects with the system's error, or ENOTSUP for what is neither a
 * file nor a folder.
 */
export async function writeOver(path: string, bytes: Uint8Array): Promise<void> {
  const target = await targetOf(path);
  const before = await stat(target).catch(() => undefined);
  // A pipe would keep us waiting, and a rename would put an end to a device.
  if (before && !before.isFile()) throw failure(before.isDirectory() ? 'EISDIR' : 'ENOTSUP');
  const beside = join(dirname(target), `.waypost-${randomUUID()}.part`);
  let file: FileHandle;
  try {
    file = await open(beside, 'wx', usual);
  } catch (error) {
    // A file may be the person's although its folder is not.
    if (before && isForbidden(error)) return writeFile(target, bytes);
    throw error;
  }
  try {
    await fill(file, bytes, before?.mode);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function fill(file: FileHandle, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  try {
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(mode & 0o777);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Where a link leads, even if nothing is there yet; a path that is no link is its own target. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Links in a circle are another error, so this comes to an end.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const next = await readlink(path).catch(() => undefined);
    return next === undefined ? path : targetOf(resolve(dirname(path), next));
  }
}

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: it is no file`), { code });
}
