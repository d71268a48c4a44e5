import { copyFileSync, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, connect } from '../../platform/database/connect.ts';
import { applyMigrations } from '../../platform/database/migrate.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { countRows, findFault, openCandidate } from '../../platform/database/snapshot.ts';
import { readArchive, readHead } from './archive.ts';
import { checkSpace, sizeOf } from './contents.ts';
import { damaged, databaseName, type Manifest, secretsName, unpackedSize } from './manifest.ts';
import type { OnProgress, Phase } from './progress.ts';
import { dropMessages, dropSealed, noteRestore, storedContents } from './queries.ts';
import { BackupRefused } from './refused.ts';
import { fingerprintOf, openSecrets, type Secrets, writeSecrets } from './sealed-secrets.ts';

export interface StageRequest {
  file: string;
  /** An empty folder that becomes a data folder. */
  target: string;
  migrations: readonly Migration[];
}

export interface RestoreRequest extends StageRequest {
  /** Opens the keys in the backup; without it they are left out. */
  passphrase: string | undefined;
  /** The vault key of the restored instance, if the backup contains none; undefined if there is none. */
  vaultKey: Buffer | undefined;
  /** Whether that key is handed in at every start and so cannot be replaced. */
  vaultKeyIsFixed: boolean;
  now: number;
}

export interface Restored {
  manifest: Manifest;
  /** Accounts whose second factor was switched off, because its key is not there. */
  secondFactorsLost: number;
  /** Whether the vault's key changes, so that data encrypted with the old one needs the old one. */
  changesKey: boolean;
}

/**
 * Unpacks a backup and proves that it is whole: hashes and sizes, every page of the database, its schema, the number of
 * rows of each table, and that each file's content is there. Throws BackupRefused.
 */
export async function unpackAndCheck(
  request: StageRequest,
  phase: Phase,
  onProgress: OnProgress,
): Promise<Manifest> {
  const { target, migrations } = request;
  const file = join(target, 'waypost.sqlite');
  let done = 0;
  let total = 1;
  const manifest = await readArchive(request.file, {
    onManifest(found) {
      total = Math.max(1, unpackedSize(found));
      mkdirSync(target, { recursive: true, mode: 0o700 });
      checkSpace(target, total);
    },
    async onEntry(name, content) {
      const path = name === databaseName ? file : join(target, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(
        Readable.from(counted(content)),
        createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 }),
      );
    },
  });
  async function* counted(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      yield chunk;
      done += chunk.length;
      onProgress(phase, Math.min(1, done / total));
    }
  }
  mkdirSync(join(target, 'files'), { recursive: true, mode: 0o700 });
  checkDatabase(file, manifest, migrations);
  checkContents(file, target, manifest);
  return manifest;
}

/**
 * Unpacks a backup as a replacement of a data folder: verified, migrated to the newest schema, with its keys if the
 * passphrase decrypts them. Without them and on another machine, second factors are disabled. Throws BackupRefused.
 */
export async function stageBackup(request: RestoreRequest, onProgress: OnProgress): Promise<Restored> {
  const { target, migrations, now } = request;
  const { head, secrets } = await openHead(request.file, request.passphrase);
  const manifest = await unpackAndCheck(request, 'unpacking', onProgress);
  // Nothing is sealed in it that outlives its use.
  if (head.secrets === 'sealed') rmSync(join(target, secretsName), { force: true });
  if (secrets) writeSecrets(target, request.vaultKeyIsFixed ? { ...secrets, vaultKey: null } : secrets);
  const secondFactorsLost = bringUpToDate(
    join(target, 'waypost.sqlite'),
    migrations,
    keysFit(manifest, secrets, request),
    { now, created: manifest.created },
  );
  const { id, created } = manifest.instance;
  writeFileSync(join(target, 'instance.json'), `${JSON.stringify({ id, created })}\n`, { mode: 0o600 });
  const { vaultKey } = request;
  const changesKey =
    vaultKey !== undefined &&
    !request.vaultKeyIsFixed &&
    secrets?.vaultKey != null &&
    secrets.vaultKey !== vaultKey.toString('base64');
  return { manifest, secondFactorsLost, changesKey };
}

/**
 * Prepares a copy of the database from before an upgrade as a replacement: verified and migrated to the newest schema.
 * Contents and keys are unchanged. Throws BackupRefused.
 */
export function stageSnapshot({ file, target, migrations, now }: StageRequest & { now: number }): void {
  const copy = join(target, 'waypost.sqlite');
  copyFileSync(file, copy);
  checkSound(copy, migrations, () => {});
  bringUpToDate(copy, migrations, true, { now, created: null });
}

/** The manifest of a backup, and its keys when the passphrase opens them. Throws BackupRefused `passphrase_wrong`. */
export async function openHead(
  file: string,
  passphrase: string | undefined,
): Promise<{ head: Manifest; secrets: Secrets | undefined }> {
  const { manifest, secrets } = await readHead(file);
  if (secrets === undefined || passphrase === undefined) return { head: manifest, secrets: undefined };
  return { head: manifest, secrets: await openSecrets(secrets, passphrase) };
}

/** Whether the restored instance will be able to open what its database has sealed. */
export function keysFit(
  manifest: Pick<Manifest, 'vaultKey'>,
  secrets: Secrets | undefined,
  { vaultKey, vaultKeyIsFixed }: Pick<RestoreRequest, 'vaultKey' | 'vaultKeyIsFixed'>,
): boolean {
  if (manifest.vaultKey === null) return true;
  if (vaultKey && fingerprintOf(vaultKey) === manifest.vaultKey) return true;
  return secrets?.vaultKey != null && !vaultKeyIsFixed;
}

function checkDatabase(file: string, manifest: Manifest, migrations: readonly Migration[]): void {
  checkSound(file, migrations, (connection) => {
    const counts = countRows(connection);
    for (const name of new Set([...Object.keys(counts), ...Object.keys(manifest.tables)])) {
      if (counts[name] !== manifest.tables[name]) throw damaged(`the number of rows of ${name} differs`);
    }
  });
}

function checkSound(
  file: string,
  migrations: readonly Migration[],
  look: (connection: Connection) => void,
): void {
  let connection: Connection;
  try {
    connection = openCandidate(file);
  } catch {
    throw damaged('its database cannot be opened');
  }
  try {
    const fault = findFault(connection, migrations);
    if (fault?.kind === 'newer') {
      throw new BackupRefused(
        'backup_newer',
        'This backup was created by a newer Waypost. Update this program first.',
      );
    }
    if (fault) throw damaged(`its database is not sound (${fault.detail})`);
    look(connection);
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw damaged('its database cannot be read');
  } finally {
    connection.close();
  }
}

function checkContents(file: string, target: string, manifest: Manifest): void {
  const missing = new Set(manifest.missing);
  const connection = openCandidate(file);
  try {
    for (const { storage, size } of storedContents(connection)) {
      const name = `files/${storage}`;
      if (missing.has(name)) continue;
      if (sizeOf(join(target, name)) !== size) throw damaged(`the content ${name} is not in it`);
    }
  } finally {
    connection.close();
  }
}

function bringUpToDate(
  file: string,
  migrations: readonly Migration[],
  keysFitIt: boolean,
  { now, created }: { now: number; created: string | null },
): number {
  const connection = connect(file, 'FULL');
  try {
    const version = Number(connection.pragma('user_version', { simple: true }));
    applyMigrations(
      connection,
      migrations.filter((migration) => migration.version > version),
    );
    const secondFactorsLost = keysFitIt ? 0 : dropSealed(connection);
    dropMessages(connection);
    noteRestore(connection, now, { created, secondFactorsLost });
    connection.pragma('wal_checkpoint(TRUNCATE)');
    return secondFactorsLost;
  } finally {
    connection.close();
  }
}
