import { z } from 'zod';
import { BackupRefused } from './refused.ts';

/** Why a backup was made; `uploaded` ones were made elsewhere. */
export const backupKinds = ['scheduled', 'manual', 'before-restore', 'uploaded'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** The format version of the archive; a program rejects newer ones. */
export const formatVersion = 1;

/** Names in the archive, which is a gzipped tar file. The manifest is the first entry. */
export const manifestName = 'manifest.json';
export const secretsName = 'secrets.json';
export const databaseName = 'database.sqlite';
/** A content of the data folder's `files`: plain names, no dots in front, at most four deep. Nothing can climb out. */
const contentName = /^files(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){1,4}$/;

export function isContentName(name: string): boolean {
  return contentName.test(name);
}

const entry = z.object({
  name: z
    .string()
    .refine((name) => name === secretsName || name === databaseName || isContentName(name), 'no such entry'),
  /** Bytes. */
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** SHA-256 in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ManifestEntry = z.output<typeof entry>;

const manifest = z.object({
  format: z.literal('waypost-backup'),
  version: z.number().int().positive(),
  /** Version of the program that made it. */
  app: z.string().max(100),
  /** Schema version of the database. */
  schema: z.number().int().positive(),
  instance: z.object({ id: z.string().min(1).max(100), created: z.string().max(40) }),
  created: z.iso.datetime(),
  kind: z.enum(backupKinds),
  /** Rows of each table. */
  tables: z.record(z.string().max(100), z.number().int().min(0)),
  /** Whether the keys are in it, sealed with a passphrase. */
  secrets: z.enum(['sealed', 'none']),
  /** Identifies the vault's key without revealing it; null if the instance has none. */
  vaultKey: z.string().max(64).nullable(),
  /** Contents in the database that were already lost when the backup was made. */
  missing: z.array(z.string().max(300)).max(1_000_000),
  /** Everything else in the archive, in its order. */
  entries: z.array(entry).min(1).max(2_000_000),
});
export type Manifest = z.output<typeof manifest>;

/** Parses a manifest. Throws BackupRefused if it is invalid, or newer than this program supports. */
export function parseManifest(text: string): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw notABackup();
  }
  const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined;
  if (typeof version === 'number' && version > formatVersion) {
    throw new BackupRefused(
      'backup_newer',
      'This backup was created by a newer Waypost. Update this program first.',
    );
  }
  const parsed = manifest.safeParse(read);
  if (!parsed.success) throw notABackup();
  const names = new Set(parsed.data.entries.map(({ name }) => name));
  // First, so that a passphrase can be tried without reading all of it.
  const hasSecrets = parsed.data.entries[0]?.name === secretsName;
  if (
    names.size !== parsed.data.entries.length ||
    !names.has(databaseName) ||
    names.has(secretsName) !== hasSecrets ||
    hasSecrets !== (parsed.data.secrets === 'sealed')
  ) {
    throw notABackup();
  }
  return parsed.data;
}

/** Bytes of everything in it, unpacked. */
export function unpackedSize({ entries }: Pick<Manifest, 'entries'>): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

export function notABackup(): BackupRefused {
  return new BackupRefused('not_a_backup', 'This file is not a Waypost backup.');
}

export function damaged(why: string): BackupRefused {
  return new BackupRefused('backup_damaged', `This backup is damaged: ${why}.`);
}
