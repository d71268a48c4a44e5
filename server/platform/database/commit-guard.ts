import { AsyncLocalStorage } from 'node:async_hooks';

interface Guard {
  /** Throws when the work may not be committed any more; undefined once it was asked, or the work is over. */
  check: (() => void) | undefined;
  /** The person whose request it is; undefined once the work is over. */
  person: number | undefined;
}

const guards = new AsyncLocalStorage<Guard>();

/**
 * Runs work that may wait (for a hash, a name server, a picture) so that `check` is asked again right before its first
 * commit: whoever asked for it may have lost the right meanwhile (T-10). What has begun to be committed is finished, since
 * no half of it is to stay, and so is what goes on by itself afterwards.
 */
export async function guardCommit<Result>(
  { check, person }: { check: () => void; person: number | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const guard: Guard = { check, person };
  try {
    return await guards.run(guard, work);
  } finally {
    // What the work has started lives on with the same context, and is nobody's request.
    guard.check = undefined;
    guard.person = undefined;
  }
}

/** The person whose request is under way; undefined for jobs, and for who is not signed in. */
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
