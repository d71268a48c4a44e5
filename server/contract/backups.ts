import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, identifier, timestamp } from './envelope.ts';

/** Why a backup was made. `uploaded`: it was made elsewhere and brought here. */
export const backupKinds = ['scheduled', 'manual', 'before-restore', 'uploaded'] as const;

/** `restorable`: it was restored into a scratch folder, and counts and hashes were compared. */
export const backupStates = ['running', 'failed', 'unchecked', 'restorable', 'damaged'] as const;

/** What a backup or a restore is at. */
export const backupPhases = ['copying', 'packing', 'checking', 'unpacking', 'saving', 'restarting'] as const;

const contents = z.object({
  /** Rows of the tables that people know by name. */
  users: z.number().int(),
  links: z.number().int(),
  clicks: z.number().int(),
  domains: z.number().int(),
  campaigns: z.number().int(),
  /** Uploaded files, and their bytes. */
  files: z.number().int(),
  filebytes: z.number().int(),
});

export const backup = z.object({
  id: z.number().int(),
  kind: z.enum(backupKinds),
  state: z.enum(backupStates),
  created: timestamp,
  filename: z.string(),
  /** Bytes of the file; null until there is one. */
  size: z.number().int().nullable(),
  /** When it was last restored into a scratch folder and compared. */
  checked: timestamp.nullable(),
  /** What is wrong with it, or why it failed. */
  problem: z.string().nullable(),
  /** Version of the program that made it. */
  version: z.string().nullable(),
  /** Identity of the instance that it is of. */
  instance: z.string().nullable(),
  /** Whether the keys (two-factor secrets, certificates) are in it, sealed with a passphrase. */
  secrets: z.enum(['sealed', 'none']).nullable(),
  /** Whether everything in it can be used here without the passphrase, as this instance has the same keys. */
  keysathand: z.boolean(),
  contents: contents.nullable(),
});
export type Backup = z.output<typeof backup>;

/** A backup or a restore that is under way. */
export const backupTask = z.object({
  id: z.number().int(),
  task: z.enum(['backup', 'restore']),
  phase: z.enum(backupPhases),
  /** How much of the phase is done, from 0 to 1. */
  progress: z.number().min(0).max(1),
  started: timestamp,
});
export type BackupTask = z.output<typeof backupTask>;

/** How the last backup or restore of this run ended, when it was not well. */
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
  /** Opens the keys in the backup. */
  passphrase: z.string().max(1024).optional(),
  /** Goes on without the keys: second factors are then switched off, and certificates made anew. */
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
      /** When the next scheduled backup is due; null when there is none. */
      next: timestamp.nullable(),
      /** Where they lie on the server. */
      folder: z.string(),
      /** Whether a passphrase is set, so that backups have the keys in them. */
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
  // It holds everything, so a key that may only read settings must not get it.
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

/** The same on a fresh instance, which has no administrator yet; each exists only while no account does. */
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
