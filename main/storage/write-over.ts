import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The default mode of new files, before the umask. */
const usual = 0o666;

/**
 * Replaces a user's file; the old content stays intact until the new one is completely on disk. Follows links and keeps
 * the file mode. Rejects with the system's error, with EISDIR for a folder, or with ENOTSUP for other non-files.
 */
export async function writeOver(path: string, bytes: Uint8Array): Promise<void> {
  const target = await targetOf(path);
  const before = await stat(target).catch(() => undefined);
  // Opening a pipe would block, and a rename would replace a device.
  if (before && !before.isFile()) throw failure(before.isDirectory() ? 'EISDIR' : 'ENOTSUP');
  const beside = join(dirname(target), `.waypost-${randomUUID()}.part`);
  let file: FileHandle;
  try {
    file = await open(beside, 'wx', usual);
  } catch (error) {
    // The file may be writable although its folder is not.
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

/** Resolves a link, even a dangling one; any other path resolves to itself. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Circular links cause a different error, so the recursion ends.
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
