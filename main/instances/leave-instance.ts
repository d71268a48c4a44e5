import type { Fetcher } from '../requests/fetcher.ts';
import type { LogFile } from '../server/log-file.ts';
import type { Secrets } from '../storage/secrets.ts';
import type { Instances } from './instances.ts';
import { keyFor } from './key-for.ts';
import { remoteFetcher } from './pins.ts';

/**
 * Makes a change after which the app may have no key of an instance any more, and ends the session there if so. Throws
 * what the change throws; waits for no server.
 */
export type LeaveInstance = (id: string, change: () => void) => void;

interface LeaveInstanceOptions {
  instances: Pick<Instances, 'findTarget' | 'pinOf'>;
  secrets: Pick<Secrets, 'find' | 'has'>;
  /** How servers are reached that no accepted certificate belongs to. */
  system: Fetcher;
  log: Pick<LogFile, 'note'>;
}

const TIMEOUT = 15_000;

/** A session that nobody here has the key of would stay in the account's list, and open to a copy of the key. */
export function leaveInstance({ instances, secrets, system, log }: LeaveInstanceOptions): LeaveInstance {
  async function endSession(origin: string, key: string, fetcher: Fetcher): Promise<void> {
    // A server that says no has no such session, or the key is one that the person made: that is theirs to revoke.
    const response = await fetcher(`${origin}/api/auth/logout`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Bearer ${key}` },
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
  }

  return (id, change) => {
    const target = instances.findTarget(id);
    if (target?.kind !== 'remote') {
      change();
      return;
    }
    const { origin, binding } = target;
    const pin = instances.pinOf(origin);
    const found = keyFor(secrets, target);
    change();
    // Whoever takes back that the key may travel unencrypted does not want it to do so once more.
    if (secrets.has(binding) || instances.findTarget(id)?.isClear) return;
    const fetcher = remoteFetcher(() => pin, system);
    found
      .then((key) => (key === undefined ? undefined : endSession(origin, key, fetcher)))
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown';
        log.note('the session of a removed instance could not be ended', { why });
      });
  };
}
