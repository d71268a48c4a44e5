import { lstatSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { Refused } from '../requests/refused.ts';
import { fileBehind, replaceFile } from './replace-file.ts';
import { setAside } from './set-aside.ts';

/** A small JSON document on disk, read and written as a whole. */
export interface JsonFile<Document> {
  /** The document, as far as it is valid. Never throws: if settings are unreadable, the app uses the defaults. */
  read(): Document;
  /** Writes atomically, also across a power failure. Throws Refused on failure. */
  write(document: Document): void;
}

interface JsonFileOptions<Document> {
  path: string;
  schema: z.ZodType<Document>;
  /** The value of a missing file. */
  empty: Document;
  /** Called with a message for the user when the file is not fully valid; the original is kept beside it. */
  onDamage: (message: string) => void;
}

/** Larger files were not written by this app. Bytes. */
const largest = 5_000_000;

/** Some of these files hold keys. */
const ownerOnly = 0o600;

/** Maximum validation passes: removing one invalid part can invalidate another. */
const mostRounds = 3;

/** Creates a JSON file readable only by its owner (mode 0600). */
export function jsonFile<Document>(options: JsonFileOptions<Document>): JsonFile<Document> {
  const { path, schema, empty, onDamage } = options;
  let known: Document | undefined;

  function load(): Document {
    let found: unknown;
    try {
      found = contentOf(path);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && !isLink(path)) return empty;
      onDamage(`${path} cannot be read (${message}). ${setAside(path)}`);
      return empty;
    }
    const whole = understood(() => found);
    if (whole) return whole;
    const rest = remainder(found);
    onDamage(`${path} could not be understood${rest ? ' in parts' : ''}. ${setAside(path)}`);
    if (rest) keepRest(rest);
    return rest ?? empty;
  }

  /** Saves the valid part of a file that was set aside; otherwise the next start would find nothing. */
  function keepRest(rest: Document): void {
    // If it could not be moved, the original must not be overwritten.
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    try {
      write(rest);
    } catch {
      // The disk may be full: this run uses the value in memory, and the next write saves all of it.
    }
  }

  function write(document: Document): void {
    replaceFile(fileBehind(path), `${JSON.stringify(document, null, 2)}\n`, ownerOnly);
  }

  /** The value from `find` if it matches the schema and can be serialized. */
  function understood(find: () => unknown): Document | undefined {
    try {
      const { success, data } = safeParse(schema, find());
      return success && JSON.stringify(data) ? data : undefined;
    } catch {
      // Nested too deeply to traverse.
      return undefined;
    }
  }

  function remainder(found: unknown): Document | undefined {
    let left = found;
    for (let round = 0; round < mostRounds; round += 1) {
      try {
        left = withoutFaults(left, empty, safeParse(schema, left).error);
      } catch {
        // Nested too deeply to traverse.
        return undefined;
      }
      const rest = understood(() => left);
      if (rest) return rest;
    }
    return undefined;
  }

  return {
    read() {
      known ??= load();
      return known;
    },
    write(document) {
      try {
        write(document);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const isFull = code === 'ENOSPC' || code === 'EDQUOT';
        throw new Refused(
          `${path} cannot be written (${message}). ${isFull ? 'Make room on that disk' : 'Give your user access to it'} and try again.`,
        );
      }
      known = document;
    },
  };
}

/**
 * Runs a write that the user did not request; a failure is only reported, since the value is determined again at the
 * next start.
 */
export function ignoreRejection(write: () => void, onFailure: (message: string) => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    onFailure(error.message);
  }
}

/** Parses the file. Undefined for invalid JSON. Throws an error with the system's code if the file cannot be read. */
function contentOf(path: string): unknown {
  const { size, isFile } = factsOf(path);
  // Reading a pipe would block forever.
  if (!isFile) throw new Error('it is not a file');
  if (size > largest) throw new Error('it is far too large');
  try {
    // Windows editors may add a byte order mark.
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The schema rejects undefined, so a truncated file counts as damaged.
    return undefined;
  }
}

/** Whether the path is a symbolic link, dangling or not. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function factsOf(path: string): { size: number; isFile: boolean } {
  const facts = statSync(path);
  return { size: facts.size, isFile: facts.isFile() };
}

/**
 * Removes what the schema rejects: single entries of lists, otherwise whole properties, so that one invalid value does
 * not discard the rest.
 */
function withoutFaults<Document>(found: unknown, empty: Document, error: z.ZodError | undefined): unknown {
  if (!safeParse(z.record(z.string(), z.unknown()), found).success) return undefined;
  const rest = structuredClone(found) as Record<string, unknown>;
  const places = new Map<string, Set<number>>();
  for (const { path } of error?.issues ?? []) {
    const [name, index] = path;
    if (typeof name !== 'string') return undefined;
    const entries = places.get(name) ?? new Set();
    places.set(name, entries.add(typeof index === 'number' ? index : -1));
  }
  for (const [name, entries] of places) {
    const list = rest[name];
    if (Array.isArray(list) && !entries.has(-1)) rest[name] = list.filter((_, index) => !entries.has(index));
    else delete rest[name];
  }
  return { ...empty, ...rest };
}
