import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { isReplacementOrdered } from '../../platform/database/replacement.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { OnProgress, Phase, RunningTask, TaskFailure } from './progress.ts';
import { explain } from './refusals.ts';
import { TaskCancelled } from './task.ts';

interface Options {
  /** The data folder. */
  folder: string;
  /** Where tasks leave unfinished files; emptied after each. */
  work: string;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

interface Running extends RunningTask {
  cancel: AbortController;
  over: Promise<void>;
}

/** Runs backups, checks and restores in the background, one at a time, and reports the current one. */
export function taskRunner({ folder, work, now, log }: Options) {
  let running: Running | undefined;
  let failure: TaskFailure | undefined;
  rmSync(work, { recursive: true, force: true });

  /** Throws 400 `backup_running` or `restart_needed`. */
  function checkIdle(): void {
    if (running) {
      throw rejected('backup_running', undefined, 'A backup or restore is running. Wait until it finishes.');
    }
    if (isReplacementOrdered(folder)) {
      throw rejected('restart_needed', undefined, 'A restored backup is waiting for the server to restart.');
    }
  }

  /** Cancels the current task, and waits for it. */
  async function abort({ cancel, over }: Running): Promise<void> {
    cancel.abort();
    await over;
  }

  return {
    checkIdle,

    /** The current task. */
    running: (): RunningTask | undefined => running,

    /** How the last task ended if it failed; undefined once another one was started. */
    failure: (): TaskFailure | undefined => failure,

    /** Begins a task; the promise resolves when it is over, whatever came of it. Throws as `checkIdle`. */
    begin(
      start: Pick<RunningTask, 'id' | 'task' | 'kind' | 'phase'>,
      run: (report: OnProgress, signal: AbortSignal) => Promise<void>,
    ): Promise<void> {
      checkIdle();
      const cancel = new AbortController();
      const current: Running = { ...start, progress: 0, startedAt: now(), cancel, over: Promise.resolve() };
      running = current;
      failure = undefined;
      const report = (phase: Phase, progress: number) => void Object.assign(current, { phase, progress });
      current.over = run(report, cancel.signal)
        .catch((error: unknown) => {
          running = undefined;
          if (error instanceof TaskCancelled) return;
          const { code, message } = explain(error);
          log.error({ err: error, id: start.id }, `a ${start.task} failed`);
          failure = { id: start.id, task: start.task, code, message, at: now() };
        })
        .finally(() => {
          // The restart is the last phase: clients must not mistake its beginning for its end.
          if (current.phase !== 'restarting') running = undefined;
          // A thread that was ended in the middle left it.
          rmSync(work, { recursive: true, force: true });
        });
      return current.over;
    },

    /** Cancels the task with an id, and waits for it. Throws 404 if another one is running, or it is too late. */
    async cancel(id: number): Promise<void> {
      if (running?.id !== id || running.phase === 'restarting')
        throw notFound('A running backup with this id');
      await abort(running);
    },

    /** Cancels a scheduled backup if one is running: requests of people take precedence. */
    async cancelScheduled(): Promise<void> {
      if (running?.task === 'backup' && running.kind === 'scheduled') await abort(running);
    },

    /** Cancels the current task unless it restarts the server itself, and waits for it. */
    async close(): Promise<void> {
      if (running?.phase !== 'restarting') running?.cancel.abort();
      await running?.over;
    },
  };
}
