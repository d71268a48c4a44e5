import type { Checkpoints } from '../../platform/database/checkpoints.ts';

interface Options {
  /** Called at the first request of a turn: notices the commits of other connections. */
  noticeOthers: () => void;
  /** Commits and answers the group's clicks. */
  commit: () => void;
  /** Has recorded clicks counted. */
  count: () => void;
  /** On an edge, which leaves counting to the origin: called instead of `count`. */
  onRecorded: (() => void) | undefined;
  checkpoints: Pick<Checkpoints, 'isEnding' | 'consider'>;
}

/** The interval between two checks of the write-ahead log's size; each costs as much as a few redirects. */
const lookMs = 100;

/** Commits the clicks of each event-loop turn as one group, and then has them counted, here or at the origin. */
export function commitSchedule({ noticeOthers, commit, count, onRecorded, checkpoints }: Options) {
  let isCommitScheduled = false;
  let isLookScheduled = false;

  /** Called by every request that may record a click; schedules one commit per turn. */
  function scheduleCommit(): void {
    if (isCommitScheduled) return;
    isCommitScheduled = true;
    setImmediate(commitVisits);
    noticeOthers();
  }

  function commitVisits(): void {
    if (checkpoints.isEnding()) {
      setTimeout(commitVisits, 1);
      return;
    }
    isCommitScheduled = false;
    commit();
    handOn();
  }

  /** Has recorded clicks counted; also call it at the start, as a crash may have left some. */
  function handOn(): void {
    if (!onRecorded) {
      count();
      return;
    }
    onRecorded();
    if (isLookScheduled) return;
    isLookScheduled = true;
    setTimeout(lookAtLog, lookMs).unref();
  }

  /** On an edge nothing else checks the size of the write-ahead log. */
  function lookAtLog(): void {
    isLookScheduled = false;
    checkpoints.consider();
  }

  return { scheduleCommit, handOn };
}
