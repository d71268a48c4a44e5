import { stranger } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { forbidden, rejected } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { securityParty } from '../../platform/mail/limits.ts';
import type { MailService } from '../../platform/mail/module.ts';
import { noPassword, type Passwords } from '../keys/passwords.ts';
import { hashSecret } from '../keys/secrets.ts';
import type { KeyService } from '../keys/service.ts';
import { passwordsOff } from '../sessions/confirm-password.ts';
import type { FailureLock } from '../sessions/failure-lock.ts';
import type { UserService } from '../users/service.ts';
import type { PasswordResetQueries } from './queries.ts';

/** For how long a code works. The messages say so. */
const lifetimeMs = 30 * 60_000;

interface Options {
  queries: PasswordResetQueries;
  mail: Pick<MailService, 'canLink' | 'linkTo' | 'writeWith' | 'mayReceive' | 'postIfPossible'>;
  users: UserService;
  keys: Pick<KeyService, 'revokeAll'>;
  passwords: Pick<Passwords, 'hash'>;
  failures: Pick<FailureLock, 'succeed'>;
  allowsPasswords: () => boolean;
  transactions: Transactions;
  audit: AuditLog;
  randomBytes: (size: number) => Buffer;
  now: () => number;
}

interface Wish {
  login: string;
  languages: readonly string[];
}

/** New passwords for people who forgot theirs, by a code that is mailed to their address (decision 0073). */
export function passwordResets(options: Options) {
  const { queries, mail, users, keys, passwords, failures, transactions, audit, now } = options;

  /**
   * Looks up the account when the message is sent, so that the response does not reveal whether one exists, and
   * creates the code then, so that it exists only in the message.
   */
  const post = mail.writeWith('password-reset', ({ login, languages }: Wish) => {
    const user = users.findByLogin(login);
    const mayReset =
      user?.active === 1 && user.password_hash !== noPassword && options.allowsPasswords() && mail.canLink();
    // One that is not sent would only push out those that were.
    if (!user || !mayReset || !mail.mayReceive('passwordReset', user.email)) return undefined;
    const code = options.randomBytes(24).toString('base64url');
    queries.insert(user.id, hashSecret(code), now() + lifetimeMs, now());
    return {
      kind: 'passwordReset',
      to: user.email,
      values: { username: user.username },
      // In the fragment, so that it appears in no log and no Referer; under the configured URL, whatever host was
      // requested.
      url: mail.linkTo(`/admin/reset#${code}`),
      languages: user.language === '' ? languages : [user.language],
    };
  });

  const tellOwner = mail.writeWith('password-changed', ({ userId }: { userId: number }) => {
    const user = users.find(userId)?.user;
    return (
      user && {
        kind: 'passwordChanged',
        to: user.email,
        values: { username: user.username },
        languages: user.language === '' ? [] : [user.language],
      }
    );
  });

  return {
    /** Whether there is such a way: passwords sign in, and mail with links is sent. */
    isOffered: (): boolean => mail.canLink() && options.allowsPasswords(),

    /** Emails a code to the owner of this login, if there is one. Throws 403, 429 or 503, the same for every login. */
    request(wish: Wish, address: string): void {
      if (!options.allowsPasswords()) throw passwordsOff();
      if (!mail.canLink()) {
        throw forbidden(
          'mail_off',
          'This instance cannot email you a link. Ask an administrator for a new password.',
        );
      }
      transactions.atomically(() => post(wish, `network ${networkOf(address)}`));
    },

    /**
     * Sets a new password with a code, and ends every session and key of the account. It does not sign anyone in: the
     * second factor is still required. Throws 400 for an invalid, used or expired code.
     */
    async reset(code: string, password: string, address: string): Promise<void> {
      if (!options.allowsPasswords()) throw passwordsOff();
      const [hash, network] = [hashSecret(code), networkOf(address)];
      // Checked before the slow hash, so that wrong codes are cheap, and again when it is used.
      if (!queries.isOpen(hash, now())) throw invalid();
      const passwordHash = await passwords.hash(password, network);
      transactions.atomically(() => {
        const userId = queries.use(hash, now());
        if (userId === undefined || !users.find(userId)) throw invalid();
        users.setPasswordHash(userId, passwordHash);
        // The code was mailed there.
        users.update(userId, { verified: 1 });
        keys.revokeAll(userId);
        failures.succeed({ userId }, 'password', network);
        audit.note(stranger(address), 'account.password_reset', {}, userId);
        mail.postIfPossible(() => tellOwner({ userId }, securityParty(userId)));
      });
    },
  };
}

export type PasswordResets = ReturnType<typeof passwordResets>;

function invalid() {
  return rejected('reset_invalid', 'code', 'This link is invalid, used or expired. Ask for a new one.');
}
