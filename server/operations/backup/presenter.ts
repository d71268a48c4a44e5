import type { Backup, BackupFailure, BackupTask } from '../../contract/backups.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import type { RunningTask, TaskFailure } from './progress.ts';
import type { KeptBackup } from './store.ts';

interface Context {
  timezone: string;
  hasKeysOf: (fingerprint: string | null) => boolean;
}

/** The API representation of a stored backup. */
export function presentBackup(kept: KeptBackup, { timezone, hasKeysOf }: Context): Backup {
  const { id, kind, filename, size, created, facts, problem } = kept;
  const tables = facts?.tables ?? {};
  return {
    id,
    kind,
    state: problem !== null ? 'damaged' : facts?.checkedAt == null ? 'unchecked' : 'restorable',
    created: presentTimestamp(created, timezone),
    filename,
    size,
    checked: presentOptional(facts?.checkedAt ?? null, timezone),
    problem,
    version: facts?.app ?? null,
    instance: facts?.instance ?? null,
    secrets: facts?.secrets ?? null,
    keysathand: facts !== undefined && hasKeysOf(facts.vaultKey),
    contents: facts
      ? {
          users: tables.users ?? 0,
          links: tables.links ?? 0,
          clicks: tables.clicks ?? 0,
          domains: tables.domains ?? 0,
          campaigns: tables.campaigns ?? 0,
          files: facts.files,
          filebytes: facts.fileBytes,
        }
      : null,
  };
}

/** A backup that has no file yet, or never got one. */
export function presentUnfinished(
  { id, kind, at, problem }: { id: number; kind: Backup['kind']; at: number; problem: string | null },
  timezone: string,
): Backup {
  return {
    id,
    kind,
    state: problem === null ? 'running' : 'failed',
    created: presentTimestamp(at, timezone),
    filename: '',
    size: null,
    checked: null,
    problem,
    version: null,
    instance: null,
    secrets: null,
    keysathand: false,
    contents: null,
  };
}

export function presentTask(task: RunningTask | undefined, timezone: string): BackupTask | null {
  if (!task) return null;
  const { id, phase, progress, startedAt } = task;
  return { id, task: task.task, phase, progress, started: presentTimestamp(startedAt, timezone) };
}

export function presentFailure(failure: TaskFailure | undefined, timezone: string): BackupFailure | null {
  if (!failure) return null;
  const { id, task, code, message, at } = failure;
  return { id, task, code, message, at: presentTimestamp(at, timezone) };
}
