import { timingSafeEqual } from 'node:crypto';
import { type Actor, stranger } from '../../platform/audit/actor.ts';
import type { AuditDetails, AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { busy, forbidden, notFound, signInRefused } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import type { Account } from '../../platform/http/caller.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { Passwords } from '../keys/passwords.ts';
import type { KeyService } from '../keys/service.ts';
import type { TwoFactorService } from '../two-factor/service.ts';
import type { Registration, UserService } from '../users/service.ts';
import { passwordLocked, passwordsOff } from './confirm-password.ts';
import type { FailureLock } from './failure-lock.ts';

interface Options {
  users: UserService;
  keys: KeyService;
  passwords: Passwords;
  failures: FailureLock;
  transactions: Transactions;
  twoFactor: TwoFactorService;
  audit: AuditLog;
  /** Printed at startup while no account exists; needed to set up a server, or a desktop from another machine. */
  setupCode: string;
  /** Whether passwords sign in, and not single sign-on and passkeys alone. */
  allowsPasswords: () => boolean;
  /**
   * Whether a request that appears to come directly from this machine may set up without the code. Only for the
   * desktop: a proxy on a server may forward strangers without a trace, with its own name for the server.
   */
  trustsLoopback: boolean;
  /** Called for sign-ins from a new device or network, within their transaction. */
  onNewPlace: (signIn: { userId: number; device: string; address: string; at: number }) => void;
  now: () => number;
}

/** The origin of a set-up request. */
export interface Origin {
  local: boolean;
  code: string | undefined;
}

export interface SignedIn {
  token: string;
  expiresAt: number;
  account: Account;
}

export interface Credentials {
  login: string;
  password: string;
  /** A code of the authenticator or a recovery code, for an account with two-factor authentication. */
  code?: string | undefined;
  device: string;
  address: string;
}

/** First run, sign-in and sign-out (decision 0008). */
export function sessionService(options: Options) {
  const { users, keys, passwords, failures, transactions, twoFactor, audit, setupCode } = options;

  /**
   * Opens a session for an account whose right to one was checked; `how`, in the audit log, if not by a password.
   * `signedInAt` is when the person proved who they are, if not now.
   */
  function open(
    userId: number,
    device: string,
    address: string,
    how: AuditDetails = {},
    signedInAt: number | null = null,
  ): SignedIn {
    return transactions.atomically(() => {
      const network = networkOf(address);
      // Who has never signed in before has no other place.
      const isNew =
        failures.knowsAny(userId) && !(failures.knows(userId, network) && keys.hasSession(userId, device));
      if (isNew) options.onNewPlace({ userId, device, address, at: options.now() });
      const { secret, expiresAt } = keys.create(userId, 'session', device, signedInAt);
      if (expiresAt === null) throw new Error('a session without an end');
      const account = accountOf(userId);
      const actor = { ...stranger(address), userId, name: account.user.username };
      failures.know(userId, network);
      audit.note(actor, 'session.started', { device, ...how });
      return { token: secret, expiresAt, account };
    });
  }

  return {
    open,

    isFresh: (): boolean => !users.hasAny(),

    checkFirstRun,

    /**
     * Creates the administrator, only while no account exists, also under concurrent requests. Returns key and
     * account.
     */
    async setUp(registration: Registration, origin: Origin): Promise<{ apiKey: string; account: Account }> {
      checkFirstRun(origin);
      const insert = await users.prepare(registration, 'first run');
      return transactions.atomically(() => {
        if (users.hasAny()) throw alreadySetUp();
        const id = insert({ admin: true });
        const { secret } = keys.create(id, 'primary', 'Primary key');
        return { apiKey: secret, account: accountOf(id) };
      });
    },

    /**
     * Opens a session. Wrong credentials are 401, alike for unknown accounts; the sixth failure in a row from one
     * network is 429.
     * An account with two-factor authentication needs a code: 401 without one, 400 with a wrong one.
     */
    async signIn({ login, password, code, device, address }: Credentials): Promise<SignedIn> {
      if (!options.allowsPasswords()) throw passwordsOff();
      const user = users.findByLogin(login);
      const subject = user ? { userId: user.id } : { login: caseFold(login) };
      const network = networkOf(address);
      const wait = failures.lockedFor(subject, 'password', network);
      if (wait > 0) throw passwordLocked(wait);
      // A full queue does not count as a wrong password.
      if (!passwords.hasCapacity(network)) throw busy();
      // Counted before the slow comparison and taken back after a success, so that parallel guesses count as well.
      failures.note(subject, 'password', network);
      const right = await passwords.verify(password, user?.password_hash, network);
      if (!user || !right || user.active === 0) {
        const actor = stranger(address);
        if (user) audit.note(actor, 'session.refused', { device }, user.id);
        else audit.noteNothing(actor, 'session.refused', { device });
        throw wrongCredentials();
      }
      failures.succeed(subject, 'password', network);
      const newHash = await renewedHash(user, password, network);
      // While the password was checked, it may have been changed, or the account disabled: the result is then obsolete.
      const now = users.findAny(user.id)?.user;
      if (now?.password_hash !== user.password_hash || now.active === 0) throw wrongCredentials();
      if (twoFactor.isEnabled(user.id)) {
        if (!code) {
          throw signInRefused('code_required', 'Enter the code from your authenticator.');
        }
        twoFactor.useCode(user.id, code, { ...stranger(address), userId: user.id, name: user.username });
      }
      if (newHash !== undefined) users.setPasswordHash(user.id, newHash);
      return open(user.id, device, address);
    },

    /** Revokes a session of an account; false if there is none with this id. */
    end(id: number, userId: number, actor: Actor, details: AuditDetails): boolean {
      return transactions.atomically(() => {
        if (!keys.revokeSession(id, userId)) return false;
        audit.note(actor, 'session.ended', details);
        return true;
      });
    },
  };

  /** The password hashed with current parameters; undefined if it already is, or if another request does it. */
  async function renewedHash(
    { password_hash }: { password_hash: string },
    password: string,
    network: string,
  ): Promise<string | undefined> {
    if (!passwords.isOutdated(password_hash) || !passwords.hasCapacity(network)) return undefined;
    return passwords.hash(password, network);
  }

  /** Throws 404 once an account exists, 403 when a request that may be a stranger's lacks the set-up code. */
  function checkFirstRun(origin: Origin): void {
    if (users.hasAny()) throw alreadySetUp();
    if ((origin.local && options.trustsLoopback) || isSame(origin.code ?? '', setupCode)) return;
    throw forbidden(
      'setup_code_required',
      'Enter the set-up code that the server printed at startup.',
      'setupcode',
    );
  }

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

function wrongCredentials() {
  return signInRefused('invalid_credentials', 'Wrong email, username or password.');
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given.trim()), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
