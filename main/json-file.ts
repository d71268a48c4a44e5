import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** A small document of the desktop's own on disk, read and written whole. */
export interface JsonFile<Document> {
  read(): Document;
  /** Lands whole or not at all, also when the power goes. */
  write(document: Document): void;
}

interface JsonFileOptions<Document> {
  path: string;
  schema: z.ZodType<Document>;
  /** What an absent file means. */
  empty: Document;
  /** Told when a file cannot be understood; it is kept beside as `.damaged`, never overwritten in silence. */
  onDamage: (message: string) => void;
}

/** Files of this kind are for their owner's eyes only (mode 0600): some hold keys. */
export function jsonFile<Document>(options: JsonFileOptions<Document>): JsonFile<Document> {
  const { path, schema, empty, onDamage } = options;
  let known: Document | undefined;

  function load(): Document {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
      throw error;
    }
    const parsed = schema.safeParse(parsedOrUndefined(text));
    if (parsed.success) return parsed.data;
    renameSync(path, `${path}.damaged`);
    onDamage(`${path} could not be understood and was put aside as ${path}.damaged.`);
    return empty;
  }

  return {
    read() {
      known ??= load();
      return known;
    },
    write(document) {
      mkdirSync(dirname(path), { recursive: true });
      const temporary = `${path}.new`;
      const file = openSync(temporary, 'w', 0o600);
      try {
        writeSync(file, `${JSON.stringify(document, null, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
      syncFolder(dirname(path));
      known = document;
    },
  };
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses undefined: half a file counts as damaged.
    return undefined;
  }
}

/** Makes a rename last; Windows has no such thing for folders and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
