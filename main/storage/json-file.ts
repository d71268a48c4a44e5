import { lstatSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { Refused } from '../requests/refused.ts';
import { fileBehind, replaceFile } from './replace-file.ts';
import { setAside } from './set-aside.ts';

/** A small document of the desktop's own on disk, read and written whole. */
export interface JsonFile<Document> {
  /**
   * What is in it as far as that can be understood. Never throws: an app that cannot read its settings starts without.
   */
  read(): Document;
  /** Lands whole or not at all, also when the power goes. Throws Refused when it cannot be written. */
  write(document: Document): void;
}

interface JsonFileOptions<Document> {
  path: string;
  schema: z.ZodType<Document>;
  /** What an absent file means. */
  empty: Document;
  /** Told, in a sentence for a person, when a file cannot be understood as a whole; it is kept beside as it was. */
  onDamage: (message: string) => void;
}

/** Whatever is larger was not written by us. Bytes. */
const largest = 5_000_000;

/** Some of these files hold keys. */
const ownerOnly = 0o600;

/** What a part may turn out to be only after another part is gone, such as one of two that say the same. */
const mostRounds = 3;

/** Files of this kind are for their owner's eyes only (mode 0600). */
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

  /**
   * What is left of a file that was moved aside: unless something is written until then, the next start would find
   * nothing.
   */
  function keepRest(rest: Document): void {
    // Where it could not be moved, it is all that there is.
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    try {
      write(rest);
    } catch {
      // A disk that is full: this start goes on with it, and whatever is chosen next is written as a whole.
    }
  }

  function write(document: Document): void {
    replaceFile(fileBehind(path), `${JSON.stringify(document, null, 2)}\n`, ownerOnly);
  }

  /** What is found there, when it has the form of the document and could be written again. */
  function understood(find: () => unknown): Document | undefined {
    try {
      const { success, data } = safeParse(schema, find());
      return success && JSON.stringify(data) ? data : undefined;
    } catch {
      // Nested so deeply that nothing can walk through it.
      return undefined;
    }
  }

  function remainder(found: unknown): Document | undefined {
    let left = found;
    for (let round = 0; round < mostRounds; round += 1) {
      try {
        left = withoutFaults(left, empty, safeParse(schema, left).error);
      } catch {
        // As above.
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
 * Runs a write that nobody asked for; that it failed is only told. What it was about is known again at the next start.
 */
export function ignoreRejection(write: () => void, onFailure: (message: string) => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    onFailure(error.message);
  }
}

/** Undefined for text that is no JSON. Throws an error with the system's code for what cannot be read at all. */
function contentOf(path: string): unknown {
  const { size, isFile } = factsOf(path);
  // A pipe in its place would keep us waiting for ever.
  if (!isFile) throw new Error('it is not a file');
  if (size > largest) throw new Error('it is far too large');
  try {
    // An editor of Windows may have left a mark in front.
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The schema refuses undefined: half a file counts as damaged.
    return undefined;
  }
}

/** Whether a link lies there, wherever it leads. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function factsOf(path: string): { size: number; isFile: boolean } {
  const facts = statSync(path);
  return { size: facts.size, isFile: facts.isFile() };
}

/**
 * What is left without the parts that the schema complains of: entries of a list one by one, else whole properties. One
 * wrong word must not cost all the others.
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
