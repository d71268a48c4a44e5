import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate disk, small enough to be filled. */
export interface SmallDisk {
  /** Where it is mounted; server data goes below it. */
  folder: string;
  /** Takes all space but `left` bytes (to the last block when 0), as another program would. */
  fill(left?: number): void;
  /** Frees what `fill` took. */
  release(): void;
  freeBytes(): number;
  /** Makes the disk read-only. */
  makeReadOnly(): void;
  remove(): void;
}

/**
 * Makes an ext4 disk in a file, or one in memory, and mounts it; undefined, and said loudly, where this system does not
 * allow that. Where a write does not fit, ext4 refuses it, and a disk in memory takes a part of it.
 */
export function smallDisk(megabytes: number, kind: 'ext4' | 'tmpfs' = 'ext4'): SmallDisk | undefined {
  const base = mkdtempSync(join(tmpdir(), 'waypost-disk-'));
  const folder = join(base, 'mounted');
  const image = join(base, 'image');
  mkdirSync(folder);
  try {
    if (kind === 'ext4') {
      execFileSync('truncate', ['-s', `${megabytes}M`, image], { stdio: 'pipe' });
      execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { stdio: 'pipe' });
      execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' });
    } else {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}M`, 'tmpfs', folder], { stdio: 'pipe' });
    }
  } catch (error) {
    rmSync(base, { recursive: true, force: true });
    process.stdout.write(`SKIPPED: no small disk can be mounted here: ${(error as Error).message}\n`);
    return undefined;
  }
  return {
    folder,
    fill(left = 0) {
      // Where it was unmounted meanwhile, the folder lies on the disk of the machine, or in its memory: not that is
      // filled.
      if (statSync(folder).dev === statSync(base).dev)
        throw new Error(`no disk is mounted at ${folder} any more`);
      const ballast = join(folder, 'ballast');
      // Most of it at once; what the file system itself needs is left to the loop.
      const most = freeBytesOf(folder) - left - 4 * 1_048_576;
      if (most > 0) execFileSync('fallocate', ['-l', String(most), ballast], { stdio: 'pipe' });
      const descriptor = openSync(ballast, 'a');
      try {
        for (const size of [1_048_576, 65_536, 4096, 512])
          fillBy(descriptor, size, () => freeBytesOf(folder) - size >= left);
      } finally {
        closeSync(descriptor);
      }
    },
    release: () => rmSync(join(folder, 'ballast'), { force: true }),
    freeBytes: () => freeBytesOf(folder),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'pipe' }),
    remove() {
      execFileSync('umount', ['-l', folder]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function fillBy(descriptor: number, size: number, mayGoOn: () => boolean): void {
  const chunk = Buffer.alloc(size, 7);
  while (mayGoOn()) {
    try {
      if (writeSync(descriptor, chunk) < size) return;
    } catch {
      // Full.
      return;
    }
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
