import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeWhole } from '../../platform/database/disk.ts';
import { makeFolders } from '../../platform/database/make-folders.ts';
import { readHead } from './archive.ts';
import { type BackupKind, backupKinds, isContentName, type Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** Facts about a backup stored next to its file, so that a list need not open it. */
export interface Facts {
  created: number;
  kind: BackupKind;
  app: string;
  instance: string;
  secrets: Manifest['secrets'];
  vaultKey: string | null;
  tables: Record<string, number>;
  files: number;
  fileBytes: number;
  /** UTC milliseconds of the last check; null before the first. */
  checkedAt: number | null;
  /** The problem found by the check; null if there was none. */
  problem: string | null;
}

export interface KeptBackup {
  id: number;
  kind: BackupKind;
  filename: string;
  path: string;
  size: number;
  created: number;
  /** Undefined when the file cannot be read as a backup. */
  facts: Facts | undefined;
  problem: string | null;
}

/** `waypost-2026-11-21T02-10-00-123Z-scheduled.tar.gz`: the timestamp is the id. */
const fileName = /^waypost-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z-]+)\.tar\.gz$/;

/** The folder of backups: one file each, with a small metadata file. `look` reads the facts of a file without one. */
export function backupStore(folder: string, look: (path: string) => Promise<Facts> = readFactsOf) {
  function make(): void {
    try {
      makeFolders(folder);
    } catch {
      throw new BackupRefused(
        'folder_unusable',
        `The backup folder ${folder} cannot be created. Choose another one.`,
      );
    }
  }

  /** The id and path of a new backup at a given time. */
  function place(at: number, kind: BackupKind): { id: number; path: string } {
    make();
    for (let id = at; ; id += 1) {
      const path = join(folder, nameOf(id, kind));
      const isTaken = backupKinds.some((other) => existsSync(join(folder, nameOf(id, other))));
      if (!isTaken) return { id, path };
    }
  }

  /** All backups, the newest first. One that was copied here by hand is read for its manifest. */
  async function list(): Promise<KeptBackup[]> {
    if (!existsSync(folder)) return [];
    const kept: KeptBackup[] = [];
    for (const name of readdirSync(folder)) {
      const known = readName(name);
      if (known) kept.push(await describe(name, known));
    }
    return kept.sort((one, other) => other.id - one.id);
  }

  async function describe(name: string, { id, kind }: { id: number; kind: BackupKind }): Promise<KeptBackup> {
    const path = join(folder, name);
    const plain = { id, kind, filename: name, path, size: statSync(path).size };
    try {
      let facts = readFacts(path);
      if (!facts) {
        facts = await look(path);
        writeFacts(path, facts);
      }
      return { ...plain, created: facts.created, facts, problem: facts.problem };
    } catch (error) {
      const problem = error instanceof BackupRefused ? error.message : 'The file cannot be read.';
      return { ...plain, created: id, facts: undefined, problem };
    }
  }

  return {
    folder,
    place,
    list,

    async find(id: number): Promise<KeptBackup | undefined> {
      for (const kind of backupKinds) {
        const name = nameOf(id, kind);
        if (existsSync(join(folder, name))) return describe(name, { id, kind });
      }
      return undefined;
    },

    /** Stores the facts of a new backup. */
    note: writeFacts,

    /** Stores the result of a check. */
    noteCheck(path: string, at: number, problem: string | null): void {
      const facts = readFacts(path);
      if (facts) writeFacts(path, { ...facts, checkedAt: at, problem });
    },

    remove({ path }: Pick<KeptBackup, 'path'>): void {
      rmSync(path, { force: true });
      rmSync(notePath(path), { force: true });
      syncFolder(folder);
    },

    /** Removes what an interrupted backup or upload left behind. */
    sweep(): void {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) {
        const isDraft = name.startsWith('waypost-') && /\.(partial|new)$/.test(name);
        const isNoteOfNothing = name.endsWith('.tar.gz.json') && !existsSync(join(folder, name.slice(0, -5)));
        if (isDraft || isNoteOfNothing) rmSync(join(folder, name), { force: true });
      }
    },
  };
}

export type BackupStore = ReturnType<typeof backupStore>;

/** The name of an incomplete backup. */
export function draftOf(path: string): string {
  return `${path}.partial`;
}

async function readFactsOf(path: string): Promise<Facts> {
  return factsOf((await readHead(path)).manifest);
}

/** The facts of a manifest that lists show. */
export function factsOf(manifest: Manifest): Facts {
  const contents = manifest.entries.filter(({ name }) => isContentName(name));
  return {
    created: Date.parse(manifest.created),
    kind: manifest.kind,
    app: manifest.app,
    instance: manifest.instance.id,
    secrets: manifest.secrets,
    vaultKey: manifest.vaultKey,
    tables: manifest.tables,
    files: contents.length,
    fileBytes: contents.reduce((sum, { size }) => sum + size, 0),
    checkedAt: null,
    problem: null,
  };
}

function nameOf(id: number, kind: BackupKind): string {
  return `waypost-${new Date(id).toISOString().replace(/[:.]/g, '-')}-${kind}.tar.gz`;
}

function readName(name: string): { id: number; kind: BackupKind } | undefined {
  const [, date, hour, minute, second, milliseconds, word] = fileName.exec(name) ?? [];
  const id = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}Z`);
  const kind = backupKinds.find((known) => known === word);
  return kind && id > 0 ? { id, kind } : undefined;
}

function notePath(path: string): string {
  return `${path}.json`;
}

function readFacts(path: string): Facts | undefined {
  try {
    return JSON.parse(readFileSync(notePath(path), 'utf8')) as Facts;
  } catch {
    // Missing or truncated by a crash: the manifest in the file has the same data.
    return undefined;
  }
}

function writeFacts(path: string, facts: Facts): void {
  writeWhole(notePath(path), `${JSON.stringify(facts)}\n`);
}
