import { closeSync, existsSync, fstatSync, lstatSync, openSync, statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { setAside } from '../storage/set-aside.ts';

/** The desktop's log: its own entries and every line of the server's output. */
export interface LogFile {
  readonly path: string;
  /** Appends a line unchanged: the server already writes JSON lines. */
  line(text: string): void;
  /** Appends an entry of the desktop itself. Never pass keys, bodies or addresses that the user typed. */
  note(message: string, details?: Record<string, string | number | boolean>): void;
  /** Resolves when all entries so far are on disk. */
  flush(): Promise<void>;
}

interface LogFileOptions {
  path: string;
  now: () => Date;
  /** Called with a message for the user if something other than a file is at the log's path. */
  onDamage?: (message: string) => void;
  /** Above this size the file is rotated to `.1`, and `.1` to `.2`. Bytes. */
  maxSize?: number;
}

/** Number of rotated files to keep. */
const KEPT = 2;

/** Limit of buffered output, so that a chatty server cannot exhaust memory while the disk is slow. Characters. */
const MAX_WAITING = 1_000_000;

/** Creates the log. Never throws: the app also runs without a log. */
export function logFile(options: LogFileOptions): LogFile {
  const { path, now, onDamage = () => {}, maxSize = 5_000_000 } = options;
  let size = sizeBefore(path, onDamage);
  let waiting = '';
  let dropped = 0;
  let writing: Promise<void> | undefined;

  function append(line: string): void {
    if (waiting.length > MAX_WAITING) {
      dropped++;
      return;
    }
    waiting += `${line}\n`;
    start();
  }

  function start(): void {
    writing ??= drain().finally(() => {
      writing = undefined;
      // A line may have arrived since the last check.
      if (waiting) start();
    });
  }

  async function drain(): Promise<void> {
    // Wait one microtask to batch lines logged together.
    await Promise.resolve();
    while (waiting) {
      const text = waiting;
      waiting = '';
      try {
        if (size > maxSize) await rotate();
        await appendFile(path, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      } catch {
        // The disk is full or gone: drop the lines.
        return;
      }
      if (dropped > 0) {
        waiting += `${noteLine('lines were dropped because the disk was too slow', { dropped })}\n`;
        dropped = 0;
      }
    }
  }

  async function rotate(): Promise<void> {
    for (let age = KEPT; age > 0; age--) {
      const older = `${path}.${age}`;
      const newer = age === 1 ? path : `${path}.${age - 1}`;
      await rename(newer, older).catch(() => {
        // No rotated file with this number yet.
      });
    }
    size = 0;
  }

  function noteLine(message: string, details: Record<string, string | number | boolean> = {}): string {
    return JSON.stringify({ time: now().toISOString(), from: 'desktop', message, ...details });
  }

  return {
    path,
    line: append,
    note: (message, details) => append(noteLine(message, details)),
    async flush() {
      while (writing) await writing;
    },
  };
}

/** Size of the existing log file. Clears the path if something else is there, so that the log becomes writable. */
function sizeBefore(path: string, onDamage: (message: string) => void): number {
  const folder = dirname(path);
  try {
    // Opening a pipe at this path would block the writer and keep the app from exiting.
    if (isOther(folder, 'folder') || isLinkToNowhere(folder))
      onDamage(`${folder} is no folder. ${setAside(folder)}`);
    makeFolder(folder);
    if (isOther(path, 'file')) onDamage(`${path} is no file. ${setAside(path)}`);
    return sizeOnceOpened(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const said = `The log ${path} cannot be written (${message}).`;
    onDamage(isDamage(code) ? `${said} ${setAside(path)}` : said);
    return isDamage(code) ? 0 : sizeOf(path);
  }
}

/** Whether an open error is permanent. A busy file or too many open files is temporary, and writing is retried. */
function isDamage(code: string): boolean {
  const damages = ['EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'ENXIO'];
  // Windows reports these for a file locked by another program; elsewhere the file belongs to another user.
  if (process.platform !== 'win32') damages.push('EACCES', 'EPERM');
  return damages.includes(code);
}

/** The file size, or zero if it cannot be determined. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Opens the file once to check that it is writable. Throws otherwise: every line would be lost silently. */
function sizeOnceOpened(path: string): number {
  const file = openSync(path, 'a', 0o600);
  try {
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

function isOther(path: string, wanted: 'file' | 'folder'): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && !(wanted === 'file' ? facts.isFile() : facts.isDirectory());
}

function isLinkToNowhere(path: string): boolean {
  return !existsSync(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Splits a text stream into lines; lines over 64 KiB are broken at that length. */
export function lineSplitter(onLine: (line: string) => void): { push(text: string): void; end(): void } {
  const longest = 65_536;
  let rest = '';
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim()) onLine(line.slice(0, longest));
      if (rest.length > longest) {
        onLine(rest.slice(0, longest));
        rest = '';
      }
    },
    end() {
      if (rest.trim()) onLine(rest);
      rest = '';
    },
  };
}
