import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import type { Step } from '../../platform/jobs/slices.ts';
import type { BulkEach, DoOne } from './bulk-each.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import { type BulkPart, type BulkQueries, unfinished } from './bulk-queries.ts';
import type { LinkHistory } from './history.ts';

interface Options {
  each: Pick<BulkEach, 'performing'>;
  jobs: Pick<BulkJobs, 'ofRest' | 'noteRest' | 'giveUp' | 'endLeftOver'>;
  parts: BulkQueries;
  history: Pick<LinkHistory, 'end'>;
  /** An account by its id; undefined if it is deleted or disabled. */
  findAccount: (id: number) => Account | undefined;
  onPurge: () => void;
  /** While it is closed nothing is done: unfinished work is looked for again within a minute. */
  writes: Pick<WriteGate, 'isClosed'>;
  changes: Pick<Changes, 'publish'>;
  /** Whether a change is being done for its request. */
  isAttended: (changeId: number) => boolean;
}

/**
 * Resumes bulk actions after a stop or a crash, one link per call; false when nothing is left. A partly processed part
 * continues after the last counted link.
 */
export function bulkRest(options: Options): Step {
  const { each, jobs, parts, history, isAttended } = options;
  let rest: { changeId: number; doOne: DoOne } | undefined;

  /** The first part that nothing processes. */
  function nextPart(): BulkPart | undefined {
    let part = parts.next(0);
    while (part && isAttended(part.changeId)) part = parts.next(part.changeId);
    return part;
  }

  /** Live pages of the action reload it. */
  function tell(accountId: number): void {
    options.changes.publish({ accountId, resource: 'links', ids: [] });
  }

  /** Processes one link of an interrupted action; false if there is none. */
  function doRest(): boolean {
    if (options.writes.isClosed()) return false;
    const part = nextPart();
    if (!part) {
      const ended = jobs.endLeftOver();
      if (ended) tell(ended.user_id);
      return ended !== undefined;
    }
    const { changeId, userId, action } = part;
    const job = jobs.ofRest(changeId);
    // Nothing was done yet; or nothing more is to be done.
    const isOver = job !== undefined && (job.finished_at !== null || job.state === 'cancelling');
    if (part.part === unfinished || isOver) return parts.removeSome(changeId);
    const account = options.findAccount(userId);
    if (!account) {
      if (job) {
        jobs.giveUp(job.id);
        tell(userId);
      }
      return parts.removeSome(changeId);
    }
    // A part may have been in the middle when the server stopped.
    const last = part.ids.indexOf(job?.last_id ?? 0);
    const ids = part.ids.slice(last + 1);
    const [id] = ids;
    if (ids.length > 1)
      for (let gone = 0; gone <= last + 1; gone += 1) parts.removeFirst(changeId, part.part);
    else parts.remove(changeId, part.part);
    if (id !== undefined) {
      if (rest?.changeId !== changeId) {
        rest = { changeId, doOne: each.performing(account, part, () => undefined, changeId) };
      }
      const row = rest.doOne(id);
      if (job) jobs.noteRest(job, row);
    }
    if (ids.length <= 1 && parts.next(changeId - 1)?.changeId !== changeId) {
      history.end(changeId);
      tell(userId);
      if (action === 'purge') options.onPurge();
    }
    return true;
  }

  return doRest;
}
