import { createReadStream, type ReadStream, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../contract/settings.ts';
import { purposes } from '../../identity/keys/purposes.ts';
import type { Migration } from '../../platform/database/migration.ts';
import {
  dropReplacement,
  isReplacementOrdered,
  orderReplacement,
  prepareReplacement,
} from '../../platform/database/replacement.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import type { Vault } from '../../platform/vault.ts';
import type { BackupKind } from './manifest.ts';
import type { OnProgress } from './progress.ts';
import type { PassphraseQueries } from './queries.ts';
import { receiveBackup } from './receive.ts';
import { asRefusal, keysMissing, refusing } from './refusals.ts';
import { BackupRefused } from './refused.ts';
import { keepRevocations, revocationsText } from './revocations.ts';
import { outdated } from './rotation.ts';
import { isDue, nextDue } from './schedule.ts';
import { fingerprintOf } from './sealed-secrets.ts';
import { type BackupStore, backupStore, draftOf, type Facts, type KeptBackup } from './store.ts';
import { runTask, TaskCancelled } from './task.ts';
import { taskRunner } from './task-runner.ts';

interface Options {
  /** The data folder. */
  folder: string;
  settings: () => Settings['backup'];
  timezone: string;
  passphrases: PassphraseQueries;
  vault: Vault;
  /** Undefined while it is lost. */
  vaultKey: Buffer | undefined;
  /** The key is given at every start, so a restore cannot replace it. */
  vaultKeyIsFixed: boolean;
  version: string;
  migrations: readonly Migration[];
  transactions: Transactions;
  isFresh: () => boolean;
  /** Closed from saving the current state until it is replaced. */
  writes: Pick<WriteGate, 'close' | 'open'>;
  /** Stops the server and starts again on the same data folder, with the restored data. */
  restart: () => void;
  now: () => number;
  log: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** A restore, as requested by a person. */
export interface RestoreChoice {
  id: number;
  passphrase?: string | undefined;
  withoutkeys: boolean;
}

/**
 * Backups of the whole instance: made in the background, verified by restoring them into a temporary folder, rotated,
 * and restored. One task at a time, in a worker thread.
 */
export function backupService(options: Options) {
  const { folder, settings, timezone, passphrases, vault, vaultKey, version, migrations, now, log } = options;
  const work = join(folder, 'backup-work');
  const tasks = taskRunner({ folder, work, now, log });
  if (!isReplacementOrdered(folder)) dropReplacement(folder);
  store().sweep();

  /** The folder is a setting, so it may change. */
  function store(): BackupStore {
    return backupStore(
      settings().folder ?? resolve(folder, 'backups'),
      async (path) => (await look(path)).facts,
    );
  }

  /** An archive's manifest, and whether its keys are available. Read in a worker thread, since it is untrusted. */
  function look(file: string, words?: string): Promise<{ facts: Facts; hasKeys: boolean }> {
    const request = { file, passphrase: words, vaultKey, vaultKeyIsFixed: options.vaultKeyIsFixed };
    return runTask({ name: 'look', request }, () => {}, new AbortController().signal);
  }

  function passphrase(): string | undefined {
    const sealed = passphrases.find();
    return sealed === undefined ? undefined : vault.open(sealed, purposes.backupPassphrase());
  }

  async function getKept(id: number): Promise<KeptBackup> {
    const kept = await store().find(id);
    if (!kept) throw notFound('Backup');
    return kept;
  }

  async function make(
    place: { id: number; path: string },
    kind: BackupKind,
    report: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const words = passphrase();
    const request = {
      folder,
      work: join(work, String(place.id)),
      target: place.path,
      kind,
      passphrase: words,
      vaultKey,
      app: version,
      now: now(),
    };
    try {
      store().note(place.path, await runTask({ name: 'create', request }, report, signal));
    } catch (error) {
      // A thread that was ended in the middle left it.
      rmSync(draftOf(place.path), { force: true });
      throw error;
    }
    await check(place, words, report, signal);
  }

  /** Restores a backup into a scratch folder, compares, and remembers the outcome. */
  async function check(
    { id, path }: { id: number; path: string },
    words: string | undefined,
    report: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    report('checking', 0);
    const request = { file: path, target: join(work, `${id}-check`), migrations };
    try {
      await runTask({ name: 'check', request, passphrase: words }, report, signal);
      store().noteCheck(path, now(), null);
    } catch (error) {
      const isVerdict = error instanceof BackupRefused && error.code !== 'disk_full';
      if (isVerdict) store().noteCheck(path, now(), error.message);
      throw error;
    }
  }

  async function rotate(): Promise<void> {
    const kept = await store().list();
    const known = kept.map(({ id, kind, created, facts, problem }) => ({
      id,
      kind,
      created,
      restorable: problem === null && facts?.checkedAt != null,
    }));
    const { keepDaily, keepWeekly } = settings();
    const old = new Set(outdated(known, { keepDaily, keepWeekly, timezone }));
    for (const each of kept) if (old.has(each.id)) store().remove(each);
  }

  function start(kind: BackupKind, note: (id: number) => void): { id: number; over: Promise<void> } {
    tasks.checkIdle();
    const place = refusing(() => store().place(now(), kind));
    note(place.id);
    const over = tasks.begin(
      { id: place.id, task: 'backup', kind, phase: 'copying' },
      async (report, signal) => {
        await make(place, kind, report, signal);
        await rotate();
      },
    );
    return { id: place.id, over };
  }

  async function newestScheduled(): Promise<number | undefined> {
    const kept = await store().list();
    return kept.find(({ kind }) => kind === 'scheduled')?.created;
  }

  return {
    /** Everything that a list shows; moments are UTC milliseconds. */
    async overview() {
      const { enabled, hour } = settings();
      return {
        backups: await store().list(),
        running: tasks.running(),
        failure: tasks.failure(),
        nextAt: enabled ? nextDue(now(), hour, timezone) : null,
        folder: store().folder,
        hasPassphrase: passphrase() !== undefined,
      };
    },

    /** The current task, and how the last one ended if it failed. */
    state: () => ({ running: tasks.running(), failure: tasks.failure() }),

    /** Whether the keys that a backup's database needs are those of this instance. */
    hasKeysOf: (fingerprint: string | null): boolean =>
      fingerprint === null || (vaultKey !== undefined && fingerprint === fingerprintOf(vaultKey)),

    /** Throws 404. */
    get: getKept,

    // Files have no transactions: each `note` logs an action before it is done, so that none is missing.

    /** Starts a backup and returns its id. Throws 400 `backup_running` or `folder_unusable`. */
    add: (note: (id: number) => void): number => start('manual', note).id,

    /** Throws 404 or 400. */
    async check(id: number): Promise<void> {
      const kept = await getKept(id);
      void tasks.begin({ id, task: 'backup', kind: kept.kind, phase: 'checking' }, (report, signal) =>
        check(kept, undefined, report, signal),
      );
    },

    /** Cancels the current task; throws 404 if it is another one, or too late. */
    cancel: tasks.cancel,

    /** Throws 404, or 400 while it is being made or checked. */
    async remove(id: number, note: (kept: KeptBackup) => void): Promise<void> {
      if (tasks.running()?.id === id)
        throw rejected('backup_running', undefined, 'This backup is in use. Cancel the running task first.');
      const kept = await getKept(id);
      note(kept);
      store().remove(kept);
    },

    /** Throws 404. */
    async open(id: number): Promise<{ kept: KeptBackup; content: ReadStream }> {
      const kept = await getKept(id);
      return { kept, content: createReadStream(kept.path) };
    },

    /** Accepts a backup made elsewhere from the body of a request. Throws 400, 408 or 507. */
    async receive(
      request: IncomingMessage,
      checkStillAllowed: () => void,
      note: (id: number) => void,
    ): Promise<KeptBackup> {
      tasks.checkIdle();
      const place = refusing(() => store().place(now(), 'uploaded'));
      try {
        await receiveBackup(request, place.path);
        checkStillAllowed();
        const { facts } = await look(place.path);
        note(place.id);
        store().note(place.path, facts);
      } catch (error) {
        store().remove(place);
        throw asRefusal(error);
      }
      return getKept(place.id);
    },

    /**
     * Starts a restore: the backup is unpacked and verified, the current state is saved, further writes are rejected,
     * and the server restarts with the backup. Immediately throws what can be known immediately: 404, 400
     * `passphrase_wrong`, `keys_missing`, `backup_…`; and the errors of `checkStillAllowed`, which is called after the
     * backup was checked.
     */
    async restore(choice: RestoreChoice, checkStillAllowed: () => void, note: () => void): Promise<void> {
      // A restore first makes a backup of its own.
      await tasks.cancelScheduled();
      tasks.checkIdle();
      const kept = await getKept(choice.id);
      const keys = { vaultKey, vaultKeyIsFixed: options.vaultKeyIsFixed };
      const { passphrase: words } = choice;
      try {
        const { facts, hasKeys } = await look(kept.path, words);
        if (!hasKeys && !choice.withoutkeys) throw keysMissing(facts, options.vaultKeyIsFixed);
      } catch (error) {
        throw asRefusal(error);
      }
      checkStillAllowed();
      tasks.checkIdle();
      note();
      void tasks.begin(
        { id: choice.id, task: 'restore', kind: kept.kind, phase: 'unpacking' },
        async (report, signal) => {
          const target = prepareReplacement(folder);
          try {
            const request = { file: kept.path, target, migrations, passphrase: words, ...keys, now: now() };
            const { changesKey } = await runTask({ name: 'stage', request }, report, signal);
            report('saving', 0);
            await options.writes.close();
            if (!options.isFresh()) {
              const saving = store().place(now(), 'before-restore');
              await make(saving, 'before-restore', (_phase, fraction) => report('saving', fraction), signal);
              await rotate();
            }
            if (signal.aborted) throw new TaskCancelled('the task was cancelled');
            report('restarting', 0);
            const revoked = revocationsText(keepRevocations({ target, folder, changesKey }));
            if (revoked !== undefined) log.warn({ id: choice.id }, revoked);
            // A verified backup of the replaced data exists, so the data itself need not be kept, unless its key is not
            // in that backup and would be lost.
            orderReplacement(folder, { keepReplaced: changesKey && passphrase() === undefined });
          } catch (error) {
            dropReplacement(folder);
            options.writes.open();
            throw error;
          }
          log.info({ id: choice.id }, 'a backup was restored; the server restarts');
          options.restart();
        },
      );
    },

    hasPassphrase: () => passphrase() !== undefined,
    /** Sets the passphrase, or takes it away with null; `note` writes down that it was. */
    setPassphrase(words: string | null, note: () => void): void {
      options.transactions.atomically(() => {
        if (words === null) passphrases.remove();
        else passphrases.put(vault.seal(words, purposes.backupPassphrase()));
        note();
      });
    },

    /**
     * Makes the scheduled backup when it is due; checked every few minutes, so that a machine that slept catches up.
     */
    async runSchedule(signal: AbortSignal): Promise<void> {
      const { enabled, hour } = settings();
      if (!enabled || options.isFresh() || tasks.running() || isReplacementOrdered(folder)) return;
      if (!isDue(now(), await newestScheduled(), hour, timezone)) return;
      const { id, over } = start('scheduled', () => {});
      const stop = () => {
        if (tasks.running()?.id === id) void tasks.cancel(id);
      };
      signal.addEventListener('abort', stop, { once: true });
      await over;
      signal.removeEventListener('abort', stop);
      const failure = tasks.failure();
      if (failure?.id === id) throw new Error(failure.message);
    },

    /** Cancels the current task, and waits for it. */
    close: tasks.close,
  };
}

export type BackupService = ReturnType<typeof backupService>;
