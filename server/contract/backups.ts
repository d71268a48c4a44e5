import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, identifier, timestamp } from './envelope.ts';

/** Why a backup was created; `uploaded` ones come from elsewhere. */
export const backupKinds = ['scheduled', 'manual', 'before-restore', 'uploaded'] as const;

/** `restorable`: verified by restoring it into a temporary folder and comparing counts and hashes. */
export const backupStates = ['running', 'failed', 'unchecked', 'restorable', 'damaged'] as const;

/** The current phase of a backup or restore. */
export const backupPhases = ['copying', 'packing', 'checking', 'unpacking', 'saving', 'restarting'] as const;

const contents = z.object({
  /** Row counts of the main tables. */
  users: z.number().int(),
  links: z.number().int(),
  clicks: z.number().int(),
  domains: z.number().int(),
  campaigns: z.number().int(),
  /** Number of uploaded files, and their total size in bytes. */
  files: z.number().int(),
  filebytes: z.number().int(),
});

export const backup = z.object({
  id: z.number().int(),
  kind: z.enum(backupKinds),
  state: z.enum(backupStates),
  created: timestamp,
  filename: z.string(),
  /** Size in bytes; null until the file exists. */
  size: z.number().int().nullable(),
  /** When it was last verified by a test restore. */
  checked: timestamp.nullable(),
  /** Why it is damaged or failed. */
  problem: z.string().nullable(),
  /** Version of the program that created it. */
  version: z.string().nullable(),
  /** Id of the instance it belongs to. */
  instance: z.string().nullable(),
  /** Whether it includes the keys (two-factor secrets, certificates), encrypted with a passphrase. */
  secrets: z.enum(['sealed', 'none']).nullable(),
  /** Whether it can be fully restored without the passphrase, because this instance has the same keys. */
  keysathand: z.boolean(),
  contents: contents.nullable(),
});
export type Backup = z.output<typeof backup>;

/** A running backup or restore. */
export const backupTask = z.object({
  id: z.number().int(),
  task: z.enum(['backup', 'restore']),
  phase: z.enum(backupPhases),
  /** Progress of the phase, from 0 to 1. */
  progress: z.number().min(0).max(1),
  started: timestamp,
});
export type BackupTask = z.output<typeof backupTask>;

/** The failure of the last backup or restore since startup. */
const taskFailure = z.object({
  id: z.number().int(),
  task: z.enum(['backup', 'restore']),
  code: z.string(),
  message: z.string(),
  at: timestamp,
});
export type BackupFailure = z.output<typeof taskFailure>;

const id = z.number().int().positive();
const passphrase = z
  .string()
  .min(8, 'Choose a passphrase of at least 8 characters.')
  .max(1024, 'Choose a passphrase of at most 1024 characters.');
const setupcode = z.string().max(200).optional();

const restoreChoice = {
  id: identifier,
  /** Decrypts the keys in the backup. */
  passphrase: z.string().max(1024).optional(),
  /** Restores without the keys: two-factor authentication is then disabled, and certificates are issued again. */
  withoutkeys: z.boolean().default(false),
};

export const listBackups = endpoint({
  method: 'GET',
  path: '/api/backups',
  summary: 'List stored backups, the running task and the next scheduled backup.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({
    data: z.object({
      backups: z.array(backup),
      running: backupTask.nullable(),
      failure: taskFailure.nullable(),
      /** When the next scheduled backup is due; null if none is scheduled. */
      next: timestamp.nullable(),
      /** The folder on the server. */
      folder: z.string(),
      /** Whether a passphrase is set, so that backups include the keys. */
      passphrase: z.boolean(),
    }),
  }),
});

export const addBackup = endpoint({
  method: 'POST',
  path: '/api/backup/add',
  summary: 'Start a backup; it runs in the background.',
  access: 'admin',
  scope: 'settings',
  bodyOptional: true,
  reply: z.object({ message: z.string(), id }),
});

export const getBackup = endpoint({
  method: 'GET',
  path: '/api/backup/:id',
  summary: 'Get a backup: its progress, result and last check.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({
    data: z.object({
      ...backup.shape,
      phase: z.enum(backupPhases).nullable(),
      progress: z.number().nullable(),
    }),
  }),
});

export const checkBackup = endpoint({
  method: 'POST',
  path: '/api/backup/:id/check',
  summary:
    'Check a backup in the background: restore it into a temporary folder and compare counts and hashes.',
  access: 'admin',
  scope: 'settings',
  bodyOptional: true,
  reply: acknowledged,
});

export const cancelBackup = endpoint({
  method: 'POST',
  path: '/api/backup/:id/cancel',
  summary: 'Cancel a running backup, check or restore.',
  access: 'admin',
  scope: 'settings',
  bodyOptional: true,
  reply: acknowledged,
});

export const downloadBackup = endpoint({
  method: 'GET',
  path: '/api/backup/:id/download',
  summary: 'Download a backup file.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  // A backup contains everything, so read access to settings must not be enough to download one.
  reads: false,
  reply: z.unknown(),
  answers: { 'application/gzip': z.string().meta({ format: 'binary' }) },
  isFile: true,
});

export const addBackupTicket = endpoint({
  method: 'POST',
  path: '/api/backup/:id/ticket',
  summary: 'Create a one-time download URL for a backup, valid for a minute without a key, for browsers.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  bodyOptional: true,
  reply: z.object({ data: z.object({ path: z.string(), expires: timestamp }) }),
});

export const downloadByTicket = endpoint({
  method: 'GET',
  path: '/api/backups/download',
  summary: 'Download a backup file with a one-time ticket.',
  access: 'public',
  query: z.object({ ticket: z.string().max(200) }),
  refusals: [404],
  reply: z.unknown(),
  answers: { 'application/gzip': z.string().meta({ format: 'binary' }) },
  isFile: true,
});

export const uploadBackup = endpoint({
  method: 'POST',
  path: '/api/backup/upload',
  summary: 'Upload a backup; the body is the file.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  rawBody: true,
  reply: z.object({ message: z.string(), data: backup }),
});

export const deleteBackup = endpoint({
  method: 'DELETE',
  path: '/api/backup/:id/delete',
  summary: 'Permanently delete a backup.',
  access: 'admin',
  scope: 'settings',
  reply: acknowledged,
});

export const restoreBackup = endpoint({
  method: 'POST',
  path: '/api/backup/restore',
  summary:
    'Restore a backup, replacing everything. The backup is checked and the current data is backed up first; then the server restarts.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  body: z.object(restoreChoice),
  reply: acknowledged,
});

export const setBackupPassphrase = endpoint({
  method: 'PUT',
  path: '/api/backup/passphrase',
  summary: 'Set the passphrase that encrypts secrets in backups; null removes it. It is never returned.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  body: z.object({ passphrase: passphrase.nullable() }),
  reply: acknowledged,
});

/** The same on a fresh instance without an administrator; these exist only while there is no account. */
export const setUpUpload = endpoint({
  method: 'POST',
  path: '/api/setup/backup',
  summary: 'Upload a backup to a new instance; the body is the file.',
  access: 'public',
  rawBody: true,
  query: z.object({ setupcode }),
  refusals: [404],
  reply: z.object({ message: z.string(), data: backup }),
});

export const setUpRestore = endpoint({
  method: 'POST',
  path: '/api/setup/restore',
  summary: 'Restore an uploaded backup on a new instance.',
  access: 'public',
  body: z.object({ ...restoreChoice, setupcode }),
  refusals: [404],
  reply: acknowledged,
});

export const setUpRestoreState = endpoint({
  method: 'GET',
  path: '/api/setup/restore',
  summary: 'Get the progress of the restore.',
  access: 'public',
  query: z.object({ setupcode }),
  refusals: [404],
  reply: z.object({ data: z.object({ running: backupTask.nullable(), failure: taskFailure.nullable() }) }),
});
