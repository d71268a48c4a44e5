import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '../../platform/database/connect.ts';
import { syncFolder } from '../../platform/database/disk.ts';
import { isDamage } from '../../platform/database/refused.ts';
import { copyDatabase, countRows, findDamage, openCandidate } from '../../platform/database/snapshot.ts';
import { writeArchive } from './archive.ts';
import { checkSpace, describe, holdContents, listContents, sizeOf } from './contents.ts';
import {
  type BackupKind,
  databaseName,
  formatVersion,
  type Manifest,
  secretsName,
  unpackedSize,
} from './manifest.ts';
import type { OnProgress } from './progress.ts';
import { storedContents } from './queries.ts';
import { BackupRefused } from './refused.ts';
import { collectSecrets, fingerprintOf, sealSecrets } from './sealed-secrets.ts';
import { draftOf } from './store.ts';

export interface CreateRequest {
  /** The data folder, which may be in use. */
  folder: string;
  /** A temporary folder on the same disk, created at the start and deleted at the end. */
  work: string;
  /** Where the file goes; it has this name only when it is whole. */
  target: string;
  kind: BackupKind;
  /** Without one the keys stay out of the backup. */
  passphrase: string | undefined;
  /** The vault's current key; undefined if there is none. */
  vaultKey: Buffer | undefined;
  app: string;
  /** UTC milliseconds. */
  now: number;
}

/** How often a content may disappear between copying the database and reading it. */
const tries = 3;

/**
 * Backs up a data folder that may be in use: a copy of its database, its contents and its keys in one file. It
 * contains everything acknowledged before it started. Throws BackupRefused, leaving no file.
 */
export async function createBackup(request: CreateRequest, onProgress: OnProgress): Promise<Manifest> {
  const { folder, work, target } = request;
  const file = join(folder, 'waypost.sqlite');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const draft = draftOf(target);
  try {
    onProgress('copying', 0);
    checkSpace(folder, 2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
    const missing = takeState(file, folder, work);
    const manifest = await describeAll(request, missing, onProgress);
    const total = unpackedSize(manifest);
    checkSpace(join(target, '..'), total);
    let done = 0;
    const secrets = manifest.secrets === 'sealed' ? readFileSync(join(work, secretsName)) : undefined;
    rmSync(draft, { force: true });
    await writeArchive(
      draft,
      manifest,
      (name) => (name === secretsName && secrets ? secrets : join(work, name)),
      (bytes) => {
        done += bytes;
        onProgress('packing', Math.min(1, done / Math.max(1, total)));
      },
    );
    renameSync(draft, target);
    syncFolder(join(target, '..'));
    return manifest;
  } catch (error) {
    throw isDamage(error) ? databaseDamaged(error.message) : error;
  } finally {
    rmSync(draft, { force: true });
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Copies the database and preserves every content that the copy refers to. A content is written before its row and
 * deleted after it, so preserving before and after the copy misses only what was deleted just then; that is retried.
 * Returns the contents that were already lost.
 */
function takeState(file: string, folder: string, work: string): string[] {
  const copy = join(work, databaseName);
  for (let attempt = 1; ; attempt += 1) {
    holdContents(folder, listContents(folder), work);
    rmSync(copy, { force: true });
    copyDatabase(file, copy);
    holdContents(folder, listContents(folder), work);
    const held = new Set(listContents(work));
    const missing = namedContents(copy).filter((name) => !held.has(name));
    if (missing.length === 0 || attempt === tries) return missing;
  }
}

function namedContents(copy: string): string[] {
  const connection = openReader(copy);
  try {
    return storedContents(connection).map(({ storage }) => `files/${storage}`);
  } finally {
    connection.close();
  }
}

/** Checks the copy and hashes everything; the manifest comes first in the archive, so it is created before. */
async function describeAll(
  request: CreateRequest,
  missing: string[],
  onProgress: OnProgress,
): Promise<Manifest> {
  const { folder, work, kind, passphrase, vaultKey, app, now } = request;
  const { tables, schema } = lookAt(join(work, databaseName));
  const names = [databaseName, ...listContents(work)];
  const sealed =
    passphrase === undefined ? undefined : await sealSecrets(collectSecrets(folder, vaultKey), passphrase);
  if (sealed !== undefined) {
    writeFileSync(join(work, secretsName), sealed, { mode: 0o600 });
    names.unshift(secretsName);
  }
  const total = names.reduce((sum, name) => sum + sizeOf(join(work, name)), 0);
  let done = 0;
  const entries = [];
  for (const name of names) {
    const entry = await describe(name, join(work, name), (bytes) => {
      done += bytes;
      onProgress('copying', 0.5 + (0.5 * done) / Math.max(1, total));
    });
    entries.push(entry);
  }
  return {
    format: 'waypost-backup',
    version: formatVersion,
    app,
    schema,
    instance: readInstance(folder),
    created: new Date(now).toISOString(),
    kind,
    tables,
    secrets: sealed === undefined ? 'none' : 'sealed',
    vaultKey: vaultKey ? fingerprintOf(vaultKey) : null,
    missing,
    entries,
  };
}

function lookAt(copy: string): { tables: Record<string, number>; schema: number } {
  const connection = openCandidate(copy);
  try {
    // A backup of a damaged database would push good ones out.
    const fault = findDamage(connection);
    if (fault) throw databaseDamaged(fault.detail);
    return {
      tables: countRows(connection),
      schema: Number(connection.pragma('user_version', { simple: true })),
    };
  } finally {
    connection.close();
  }
}

function databaseDamaged(detail: string): BackupRefused {
  return new BackupRefused(
    'database_damaged',
    `The database is damaged (${detail}), so no backup was created. Restore an earlier one.`,
  );
}

function readInstance(folder: string): Manifest['instance'] {
  const read = JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8')) as {
    id: string;
    created?: string;
  };
  return { id: read.id, created: read.created ?? '' };
}
