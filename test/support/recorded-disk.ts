import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DiskWrite, readRecords } from './recorded-disk-log.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'recorded-disk-process.ts');
/** The atomic unit of a disk: of a longer write some sectors may be stored and others not. */
const sectorBytes = 512;

/** A disk with a file system, of which every write and flush is recorded in order. */
export interface RecordedDisk {
  /** Where it is mounted. */
  folder: string;
  /** The current position in the record. */
  moment(): number;
  /** Unmounts it and keeps the record. */
  unmount(): Promise<void>;
  /**
   * Creates and mounts the disk as it may be after a power cut at a moment: everything written before the last flush is
   * on it, and none, all or any part of what was written afterwards, by sectors. Moments must not decrease from call to
   * call.
   */
  cut(
    moment: number,
    randomInteger: (below: number) => number,
  ): Promise<{ folder: string; unmount(): Promise<void> }>;
  remove(): Promise<void>;
}

/**
 * Makes an ext4 disk and mounts it: a loop device over a FUSE file system of one file, whose process keeps the record.
 * What a program wrote and nobody synced is in the memory of the kernel alone and therefore not in it. Undefined, and
 * said loudly, where this system does not allow that.
 */
export async function recordedDisk(megabytes: number): Promise<RecordedDisk | undefined> {
  const base = mkdtempSync(join(tmpdir(), 'waypost-power-'));
  const path = (name: string) => join(base, name);
  const folder = path('mounted');
  for (const name of ['mounted', 'afterwards']) mkdirSync(path(name));
  for (const name of ['disk', 'log', 'now']) writeFileSync(path(name), '');
  try {
    await run('truncate', ['-s', `${megabytes}M`, path('now')]);
    const whole = 'nodiscard,lazy_itable_init=0,lazy_journal_init=0';
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', '-J', 'size=8', '-E', whole, path('now')]);
    await copy(path('now'), path('flushed'));
    await mountFile(path('disk'), path('now'), path('log'));
    await run('mount', ['-o', 'loop', path('disk'), folder]);
  } catch (error) {
    await run('umount', [path('disk')]).catch(() => {});
    rmSync(base, { recursive: true, force: true });
    process.stdout.write(`SKIPPED: no disk can be recorded here: ${(error as Error).message}\n`);
    return undefined;
  }

  let isMounted = true;
  let flushedUntil = 0;
  let cuts = 0;
  async function unmount(): Promise<void> {
    if (!isMounted) return;
    await run('umount', [folder]);
    await run('umount', [path('disk')]);
    isMounted = false;
  }

  return {
    folder,
    moment: () => statSync(path('log')).size,
    unmount,
    async cut(moment, randomInteger) {
      const flushed = openSync(path('flushed'), 'r+');
      let pending: DiskWrite[] = [];
      try {
        for (const { record, next } of readRecords(path('log'), flushedUntil, moment)) {
          if (record !== 'flush') pending.push(record);
          else {
            for (const { offset, content } of pending) writeSync(flushed, content, 0, content.length, offset);
            pending = [];
            flushedUntil = next;
          }
        }
      } finally {
        closeSync(flushed);
      }
      cuts += 1;
      // A file of its own: the loop device of the previous one may still be attached when its file system is unmounted.
      const image = path(`cut-${cuts}`);
      await copy(path('flushed'), image);
      writePartly(image, pending, randomInteger);
      await run('mount', ['-o', 'loop', image, path('afterwards')]);
      return {
        folder: path('afterwards'),
        async unmount() {
          await run('umount', [path('afterwards')]);
          rmSync(image);
        },
      };
    },
    async remove() {
      await unmount();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** None, all or any part of the unflushed writes is on the disk. */
function writePartly(
  image: string,
  writes: readonly DiskWrite[],
  randomInteger: (below: number) => number,
): void {
  const share = randomInteger(3);
  const descriptor = openSync(image, 'r+');
  try {
    for (const { offset, content } of writes) {
      for (let at = 0; at < content.length; at += sectorBytes) {
        const isWritten = randomInteger(2) < share;
        const length = Math.min(sectorBytes, content.length - at);
        if (isWritten) writeSync(descriptor, content, at, length, offset + at);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Leaves holes holes, which makes a copy of a large and nearly empty image a quick one. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['--sparse=always', from, to]);
}

/** Mounts a file system whose root is one file, and starts the process that answers for it. */
async function mountFile(at: string, image: string, log: string): Promise<void> {
  const device = openSync('/dev/fuse', 'r+');
  try {
    const options = 'fd=3,rootmode=100600,user_id=0,group_id=0';
    const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'waypost-test', at], {
      stdio: ['ignore', 'ignore', 'ignore', device],
    });
    const [code] = await once(mount, 'close');
    if (code !== 0) throw new Error(`mount ended with ${code}`);
    spawn(process.execPath, [program, image, log], { stdio: ['ignore', 'ignore', 'inherit', device] });
  } finally {
    closeSync(device);
  }
}
