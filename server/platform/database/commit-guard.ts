import { AsyncLocalStorage } from 'node:async_hooks';

interface Guard {
  /** Throws when the work may not be committed any more; undefined once it was asked, or the work is over. */
  check: (() => void) | undefined;
  /** The person whose request it is; undefined once the work is over. */
  person: number | undefined;
  /** The record that is edited; undefined once it was, and for work that edits none. */
  edit: Edit | undefined;
}

/** The edit of one record, made from a state of it that may be the present one no longer. */
export interface Edit {
  /** The record's version; undefined for what is not there. */
  version(): number | undefined;
  /** Throws when the edit was made from another version than this. */
  confirm(version: number | undefined): void;
}

const guards = new AsyncLocalStorage<Guard>();

/**
 * Runs work that may wait (for a hash, a name server, a picture) so that `check` is asked again right before its first
 * commit: whoever asked for it may have lost the right meanwhile (T-10). What has begun to be committed is finished,
 * since no half of it is to stay, and so is what goes on by itself afterwards.
 */
export async function guardCommit<Result>(
  { check, person, edit }: { check: () => void; person: number | undefined; edit?: Edit | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const guard: Guard = { check, person, edit };
  try {
    const result = await guards.run(guard, work);
    // One that leaves the record as it is may be made from a version that is none any more, too.
    guard.edit?.confirm(guard.edit.version());
    return result;
  } finally {
    // What the work has started lives on with the same context, and is nobody's request.
    guard.check = undefined;
    guard.person = undefined;
    guard.edit = undefined;
  }
}

/**
 * Runs the work of one transaction. The edit that is under way is confirmed within it and at its end: what else is
 * wrong with it is told first, and a throw rolls all of it back. Asked for until the record is another one.
 */
export function confirmEdit<Result>(work: () => Result): Result {
  const guard = guards.getStore();
  const edit = guard?.edit;
  if (!guard || !edit) return work();
  const before = edit.version();
  const result = work();
  edit.confirm(before);
  if (edit.version() !== before) guard.edit = undefined;
  return result;
}

/** The person whose request is under way; undefined for jobs, and for anyone who is not signed in. */
export function actingPerson(): number | undefined {
  return guards.getStore()?.person;
}

/** Asks for the work that is under way, if it is guarded and was not asked for yet. Throws what its check throws. */
export function checkBeforeCommit(): void {
  const guard = guards.getStore();
  if (!guard?.check) return;
  guard.check();
  guard.check = undefined;
}
