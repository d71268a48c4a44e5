import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import type { Target } from './target.ts';

/** Signs in at an instance. Returns the session token, or undefined on failure. */
export type SignIn = (target: Target, login: string, password: string) => Promise<string | undefined>;

const signedIn = z.object({ data: z.object({ token: z.string().min(1).max(4_096) }) });

const TIMEOUT = 15_000;
const MAX_BODY = 1024 * 1024;

/** Creates a sign-in function; `device` names the session in the account's list of sessions. */
export function signInAt(fetchers: Record<Target['kind'], Fetcher>, device: string): SignIn {
  return async (target, login, password) => {
    try {
      const response = await fetchers[target.kind](`${target.origin}/api/auth/login`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ login, password, device }),
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const body: unknown = JSON.parse((await readBounded(response, MAX_BODY)).toString('utf8'));
      return response.ok ? safeParse(signedIn, body).data?.data.token : undefined;
    } catch {
      // No response or no JSON: the caller falls back to another key and logs that.
      return undefined;
    }
  };
}
