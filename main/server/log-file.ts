import { closeSync, existsSync, fstatSync, lstatSync, openSync, statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { setAside } from '../storage/set-aside.ts';

/** The desktop's log: its own notes and every line that the server writes. */
export interface LogFile {
  readonly path: string;
  /** Appends a line as it is: the server writes JSON lines of its own. */
  line(text: string): void;
  /** Appends a note of the desktop itself. Never pass keys, bodies or addresses that a person typed. */
  note(message: string, details?: Record<string, string | number | boolean>): void;
  /** Resolves when everything so far is on disk. */
  flush(): Promise<void>;
}

interface LogFileOptions {
  path: string;
  now: () => Date;
  /** Told, in a sentence for a person, when something else lies in the place of the log. */
  onDamage?: (message: string) => void;
  /** When the file is larger it becomes `.1`, and `.1` becomes `.2`. Bytes. */
  maxSize?: number;
}

/** Old files that are kept beside the current one. */
const KEPT = 2;

/** A server that floods its output must not fill our memory while the disk is slow. Characters. */
const MAX_WAITING = 1_000_000;

/** Never throws: an app that cannot write its log does without. */
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
      // A line may have come between the last look and here.
      if (waiting) start();
    });
  }

  async function drain(): Promise<void> {
    // One turn later, so that lines of one moment are written together.
    await Promise.resolve();
    while (waiting) {
      const text = waiting;
      waiting = '';
      try {
        if (size > maxSize) await rotate();
        await appendFile(path, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      } catch {
        // A full or vanished disk: a log is the first thing to do without.
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
        // There is none of that age yet.
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

/** How much is in the file of the starts before; it can be written to from then on, if that can be had. */
function sizeBefore(path: string, onDamage: (message: string) => void): number {
  const folder = dirname(path);
  try {
    // A pipe in the place of the file would keep whoever writes to it waiting, and the app from ending.
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

/**
 * Whether a file that could not be opened stands in the way for good. One that is only busy, or opened while the system
 * has no more files to give, is written to once that is over.
 */
function isDamage(code: string): boolean {
  const damages = ['EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'ENXIO'];
  // Windows says the same of a file that another program has locked; elsewhere it is one of another user.
  if (process.platform !== 'win32') damages.push('EACCES', 'EPERM');
  return damages.includes(code);
}

/** Zero where that cannot be said either. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Throws where nothing can be written: every line would be lost without a word. */
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

/** Cuts a stream of text into lines and hands each on; a line of over 64 KiB is cut there. */
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
