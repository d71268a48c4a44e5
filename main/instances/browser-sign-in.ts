import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BrowserSignInOutcome } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { Cancelled, reasonOf, replyFrom } from '../requests/api-reply.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import { Refused } from '../requests/refused.ts';
import type { Secrets } from '../storage/secrets.ts';
import { browserReturn } from './browser-return.ts';
import type { Instances } from './instances.ts';
import { agreeFirst } from './key-for.ts';
import type { Target } from './target.ts';

/** Sign-in to remote instances through the system browser (decision 0068). */
export interface BrowserSignIns {
  /**
   * Opens the instance's sign-in page in the browser, waits for the redirect and stores the key. A new call cancels the
   * previous one. Throws Refused with the reason of a failure.
   */
  begin(instanceId: string): Promise<BrowserSignInOutcome>;
  /** Cancels the pending sign-in, which then resolves to `cancelled`. */
  cancel(): 'cancelled';
}

interface Options {
  instances: Pick<Instances, 'findTarget' | 'noteSignIn'>;
  secrets: Pick<Secrets, 'keep'>;
  fetcher: Fetcher;
  /** Opens an address in the browser; false if the user declined. Throws Refused if no browser opens it. */
  open: (address: string) => Promise<boolean>;
  /** Called when the browser has redirected back, to focus the window. */
  onReturn: () => void;
  /** The session's name in the account's list of sessions. */
  device: string;
  randomBytes: (size: number) => Buffer;
  /** Time limit for the user, in milliseconds. */
  timeout?: number;
}

/** Enough time to find a second factor or a security key. */
const TIMEOUT = 5 * 60_000;
/** Time limit for exchanging the code for a key. */
const EXCHANGE_TIMEOUT = 15_000;

const signedIn = z.object({ data: z.object({ token: z.string().min(1).max(4_096) }) });

export function browserSignIns(options: Options): BrowserSignIns {
  const { instances, secrets, fetcher, open, onReturn, device, randomBytes, timeout = TIMEOUT } = options;
  let current: AbortController | undefined;

  function remoteTarget(id: string): Target {
    const target = instances.findTarget(id);
    if (target?.kind !== 'remote') throw new Refused('Instance not found.');
    // The key would be sent unencrypted.
    if (target.isClear) throw new Refused(agreeFirst);
    return target;
  }

  async function signIn(id: string, signal: AbortSignal): Promise<BrowserSignInOutcome> {
    const target = remoteTarget(id);
    const [state, verifier] = [newSecret(), newSecret()];
    const expected = await browserReturn({ state, issuer: target.origin, signal });
    try {
      const { redirectUri } = expected;
      if (!(await open(pageOf(target.origin, { redirectUri, state, verifier })))) return 'cancelled';
      const { answer, tell } = await expected.returned;
      onReturn();
      if ('error' in answer) {
        tell('Not signed in', 'You can close this tab and return to Waypost.');
        return 'denied';
      }
      try {
        const token = await exchange(target, { code: answer.code, verifier, redirectUri }, signal);
        // The instance may have been removed or given another URL in the meantime.
        if (instances.findTarget(id)?.binding !== target.binding) throw new Refused('Instance not found.');
        await secrets.keep(target.binding, token);
      } catch (error) {
        tell('Not signed in', 'Waypost says what went wrong. You can close this tab.');
        throw error;
      }
      instances.noteSignIn(id);
      tell('You’re signed in', 'You can close this tab and return to Waypost.');
      return 'done';
    } finally {
      expected.close();
    }
  }

  async function exchange(
    { origin }: Target,
    { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
    given: AbortSignal,
  ): Promise<string> {
    const signal = AbortSignal.any([given, AbortSignal.timeout(EXCHANGE_TIMEOUT)]);
    const { ok, reply } = await replyFrom(() =>
      fetcher(`${origin}/api/auth/browser/finish`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ code, verifier, redirecturi: redirectUri }),
        // A redirect would forward the code to another address.
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        signal,
      }),
    ).catch((error: unknown) => {
      given.throwIfAborted();
      throw new Refused(reasonOf(error, signal).message);
    });
    const answer = ok ? safeParse(signedIn, reply.body) : undefined;
    if (!answer?.success) throw new Refused('The server rejected this sign-in. Start again.');
    return answer.data.data.token;
  }

  function newSecret(): string {
    return randomBytes(32).toString('base64url');
  }

  function pageOf(
    origin: string,
    { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
  ): string {
    const query = new URLSearchParams({
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      device,
    });
    return `${origin}/admin/connect?${query}`;
  }

  return {
    async begin(id) {
      current?.abort(new Cancelled());
      const mine = new AbortController();
      current = mine;
      const late = AbortSignal.timeout(timeout);
      const signal = AbortSignal.any([mine.signal, late]);
      try {
        return await signIn(id, signal);
      } catch (error) {
        if (mine.signal.aborted) return 'cancelled';
        if (late.aborted) {
          throw new Refused('The browser did not return in time. Start again when you are ready.');
        }
        throw error;
      } finally {
        if (current === mine) current = undefined;
      }
    },
    cancel() {
      current?.abort(new Cancelled());
      return 'cancelled';
    },
  };
}
