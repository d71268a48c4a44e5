import { AsyncLocalStorage } from 'node:async_hooks';

interface Guard {
  /** Throws if the work may no longer be committed; undefined once it was called, or the work has ended. */
  check: (() => void) | undefined;
  /** The person who made the request; undefined once the work has ended. */
  person: number | undefined;
  /** The record that is being edited; undefined once checked, and for work that edits none. */
  edit: Edit | undefined;
}

/** An edit of one record, based on a version that may be outdated. */
export interface Edit {
  /** The record's version; undefined if it does not exist. */
  version(): number | undefined;
  /** Throws if the edit was based on another version. */
  confirm(version: number | undefined): void;
}

const guards = new AsyncLocalStorage<Guard>();

/**
 * Runs work that may wait (for a hash, a name server, a picture) and calls `check` again right before its first
 * commit: the caller may have lost the permission meanwhile (T-10). Once a commit has started, the work is finished,
 * so that it is not left half done; background work continues as well.
 */
export async function guardCommit<Result>(
  { check, person, edit }: { check: () => void; person: number | undefined; edit?: Edit | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const guard: Guard = { check, person, edit };
  try {
    const result = await guards.run(guard, work);
    // An update that leaves the record unchanged may be based on an outdated version, too.
    guard.edit?.confirm(guard.edit.version());
    return result;
  } finally {
    // Work started by this work runs in the same context, but belongs to no request.
    guard.check = undefined;
    guard.person = undefined;
    guard.edit = undefined;
  }
}

/**
 * Runs the work of one transaction. The current edit is checked inside it and at its end: other errors are reported
 * first, and a throw rolls everything back. Checked until the record has changed.
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

/** The person who made the current request; undefined for jobs and anonymous requests. */
export function actingPerson(): number | undefined {
  return guards.getStore()?.person;
}

/** Calls the check of the current work, if it is guarded and not yet checked. Rethrows its errors. */
export function checkBeforeCommit(): void {
  const guard = guards.getStore();
  if (!guard?.check) return;
  guard.check();
  guard.check = undefined;
}
