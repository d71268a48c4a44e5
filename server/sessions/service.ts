import { timingSafeEqual } from 'node:crypto';
import type { Transactions } from '../database/transactions.ts';
import { forbidden, notFound, signInRefused, tooMany } from '../errors.ts';
import { fold } from '../fold.ts';
import type { Passwords } from '../keys/passwords.ts';
import type { KeyService } from '../keys/service.ts';
import type { Account, Registration, UserService } from '../users/service.ts';
import type { FailureLock } from './failure-lock.ts';

interface Options {
  users: UserService;
  keys: KeyService;
  passwords: Passwords;
  failures: FailureLock;
  transactions: Transactions;
  /** Printed at start while no account exists; needed to set up from another machine. */
  setupCode: string;
}

export interface SignedIn {
  token: string;
  expiresAt: number;
  account: Account;
}

/** First run, sign-in and sign-out (decisions, section 3). */
export function sessionService({ users, keys, passwords, failures, transactions, setupCode }: Options) {
  return {
    isFresh: (): boolean => !users.hasAny(),

    /** Creates the administrator; only while no account exists, however many ask at once. Returns key and account. */
    async setUp(
      registration: Registration,
      origin: { local: boolean; code: string | undefined },
    ): Promise<{ apiKey: string; account: Account }> {
      if (users.hasAny()) throw alreadySetUp();
      if (!origin.local && !isSame(origin.code ?? '', setupCode)) {
        throw forbidden(
          'setup_code_required',
          'Enter the set-up code that the server printed when it started.',
          'setupcode',
        );
      }
      const insert = await users.prepare(registration);
      return transactions.atomically(() => {
        if (users.hasAny()) throw alreadySetUp();
        const id = insert(true);
        const { secret } = keys.create(id, 'primary', 'Primary key');
        return { apiKey: secret, account: accountOf(id) };
      });
    },

    /** Opens a session. Wrong credentials are 401, alike for unknown accounts; the sixth failure in a row is 429. */
    async signIn(login: string, password: string, device: string): Promise<SignedIn> {
      const user = users.findByLogin(login);
      const subject = user ? `user ${user.id}` : `login ${fold(login)}`;
      const wait = failures.lockedFor(subject, 'password');
      if (wait > 0)
        throw tooMany('too_many_failures', 'Too many wrong passwords. Wait a while and try again.', wait);
      // Counted before the slow comparison and taken back after a success, so that parallel guesses count as well.
      const attempt = failures.note(subject, 'password');
      const right = await passwords.verify(password, user?.password_hash);
      if (!user || !right || user.active === 0) {
        throw signInRefused('invalid_credentials', 'The e-mail address, user name or password is wrong.');
      }
      failures.forget(attempt);
      if (passwords.isOutdated(user.password_hash))
        users.setPasswordHash(user.id, await passwords.hash(password));
      const { secret, expiresAt } = keys.create(user.id, 'session', device);
      if (expiresAt === null) throw new Error('a session without an end');
      return { token: secret, expiresAt, account: accountOf(user.id) };
    },
  };

  function accountOf(id: number): Account {
    const account = users.find(id);
    if (!account) throw notFound('Account');
    return account;
  }
}

export type SessionService = ReturnType<typeof sessionService>;

function alreadySetUp() {
  return notFound('An account exists already, so the set-up');
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given.trim()), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
