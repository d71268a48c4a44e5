import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { sendPage } from './answers.ts';
import type { Page } from './pages/pages.ts';
import { type PasswordOutcome, passwordForms } from './password-form.ts';
import { unlockCookies } from './unlock-cookie.ts';

interface Locked {
  /** Never reused, even after deletion: failures are counted by it. */
  id: number | string;
  passwordHash: string;
}

/** A form sent to a protected page. */
interface PasswordVisit {
  request: IncomingMessage;
  response: ServerResponse;
  /** The visitor's network address. */
  address: string;
  /** Whether the request used TLS, to us or to a trusted proxy. */
  isSecure: boolean;
}

export interface PasswordGate {
  /** Whether the visitor entered the password within the last ten minutes. */
  isOpen(request: IncomingMessage, locked: Locked): boolean;
  /** Answers the form: redirects to the same URL if the password is correct. */
  answer(
    visit: PasswordVisit,
    locked: Locked,
    problemPage: (problem: Exclude<PasswordOutcome, 'right' | 'gone'>, secondsLeft: number) => Page,
  ): Promise<void>;
}

interface Options {
  passwords: Pick<Passwords, 'hasCapacity' | 'verify'>;
  /** Signs the cookies of unlocked visitors. */
  unlockKey: Buffer;
  /** The number of machines that share the attempts; by default this is the only one. */
  machines?: (() => number) | undefined;
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
}

/** Wrong passwords per content and hour, from all networks and on all machines. */
const mostFailures = 100;

/**
 * The password of files and statistics pages (T-13): ten wrong ones per address in 15 minutes, and a hundred per
 * content and hour in total, since a content may be worth guessing from many addresses.
 */
export function passwordGate({
  passwords,
  unlockKey,
  machines = () => 1,
  now,
  monotonic,
}: Options): PasswordGate {
  const forms = passwordForms({ passwords, monotonic, machines });
  const everywhere = fixedWindow({ windowMs: 3_600_000, monotonic });
  const remembered = unlockCookies(unlockKey);
  const isBlocked = (name: string) =>
    everywhere.hits(name) >= Math.max(1, Math.floor(mostFailures / machines()));

  async function check(request: IncomingMessage, locked: Locked, address: string): Promise<PasswordOutcome> {
    const name = String(locked.id);
    if (isBlocked(name)) return 'blocked';
    const outcome = await forms.check(request, locked, address);
    if (outcome === 'wrong') everywhere.hit(name);
    return outcome;
  }

  function secondsLeft(locked: Locked, address: string): number {
    const name = String(locked.id);
    return isBlocked(name) ? everywhere.secondsLeft(name) : forms.secondsLeft(locked, address);
  }

  return {
    isOpen: (request, locked) => remembered.isValid(locked, request.headers.cookie ?? '', now()),

    async answer({ request, response, address, isSecure }, locked, problemPage) {
      const outcome = await check(request, locked, address);
      if (response.destroyed || outcome === 'gone') return;
      if (outcome !== 'right') {
        sendPage(request, response, problemPage(outcome, secondsLeft(locked, address)));
        return;
      }
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      response.writeHead(303, [
        ...['Location', path, 'Set-Cookie', remembered.issue(locked, path, now(), isSecure)],
        ...['Content-Length', '0', 'Cache-Control', 'private, no-store', 'Referrer-Policy', 'no-referrer'],
      ]);
      response.end();
    },
  };
}
