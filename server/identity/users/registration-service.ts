import { randomBytes } from 'node:crypto';
import type { Settings } from '../../contract/settings.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import { stranger } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { forbidden, notFound, rejected } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import type { Moment } from '../../platform/mail/letters.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { isSameAddress } from '../../platform/text/mail-address.ts';
import { hashSecret } from '../keys/secrets.ts';
import type { KeyService } from '../keys/service.ts';
import { checkCeiling } from '../plans/ceilings.ts';
import type { SessionService, SignedIn } from '../sessions/service.ts';
import type { TeamInvitations } from '../teams/invitations.ts';
import type { MailInvitation } from './invitation-mail.ts';
import type { InvitationQueries, InvitationRow } from './invitation-queries.ts';
import type { Registration, UserService } from './service.ts';

const week = 7 * 86_400_000;

interface Options {
  queries: InvitationQueries;
  users: UserService;
  keys: KeyService;
  sessions: Pick<SessionService, 'open'>;
  teamInvitations: Pick<TeamInvitations, 'isOpen' | 'joinNew'>;
  planExists: (id: number) => boolean;
  /** Who may create an account. */
  mode: () => Settings['registration'];
  mailInvitation: MailInvitation;
  transactions: Transactions;
  audit: AuditLog;
  now: () => number;
}

/** How people get an account without an administrator typing it: by an invitation, or freely. */
export function registrationService(options: Options) {
  const { queries, users, keys, sessions, teamInvitations, planExists, mode, transactions, audit, now } =
    options;

  return {
    /**
     * Creates an invitation that works once, and emails it if it is for an address and mail is configured; its code
     * cannot be read again. Throws 400, or 429 if too many are emailed.
     */
    invite(
      wish: { email?: string | undefined; planId?: number | undefined; expiresAt?: number | undefined },
      letter: (code: string, expiresAt: number) => { url: string; until: Moment; languages: string[] },
      actor: Actor & { userId: number },
    ): { code: string; expiresAt: number; isMailed: boolean } {
      const { email, planId, expiresAt = now() + week } = wish;
      if (planId !== undefined && !planExists(planId)) {
        throw rejected('unknown_plan', 'planid', 'Plan not found.');
      }
      if (expiresAt <= now()) throw rejected('expires_in_past', 'expires', 'Choose a time in the future.');
      const code = randomBytes(24).toString('base64url');
      const isMailed = transactions.atomically(() => {
        checkCeiling('invitations', queries.countOpen(actor.userId, now()));
        queries.insert({
          hash: hashSecret(code),
          email: email ?? null,
          emailFolded: email === undefined ? null : caseFold(email),
          planId: planId ?? null,
          createdBy: actor.userId,
          createdAt: now(),
          expiresAt,
        });
        audit.note(actor, 'invitation.added', { email: email ?? null }, null);
        if (email === undefined) return false;
        return options.mailInvitation({ to: email, by: actor.name, ...letter(code, expiresAt) }, actor);
      });
      return { code, expiresAt, isMailed };
    },

    open: (): InvitationRow[] => queries.listOpen(now()),

    takeBack(id: number, actor: Actor): void {
      transactions.atomically(() => {
        if (!queries.remove(id)) throw notFound('Invitation');
        audit.note(actor, 'invitation.deleted', {}, null);
      });
    },

    /** Creates the account and signs it in. If several use an invitation at once, one gets the account. */
    async register(
      registration: Registration & { code?: string | undefined },
      device: string,
      address: string,
    ): Promise<{ signedIn: SignedIn; apiKey: string }> {
      // Checked before the slow hash, so that wrong codes are cheap, and again when it is used.
      findInvitation(registration);
      const insert = await users.prepare(registration, networkOf(address));
      return transactions.atomically(() => {
        const invitation = findInvitation(registration);
        // Who invites into a team chooses the address as freely as who registers.
        const isVerified = (invitation?.email ?? null) !== null;
        const id = insert({ planId: invitation?.plan_id ?? undefined, verified: isVerified });
        if (invitation) queries.use(invitation.id, id, now());
        else if (registration.code) joinTeam(registration.code, id, registration, address);
        const { secret } = keys.create(id, 'primary', 'Primary key');
        audit.note(stranger(address), 'user.registered', { username: registration.username }, id);
        return { signedIn: sessions.open(id, device, address), apiKey: secret };
      });
    },
  };

  function joinTeam(code: string, id: number, { email, username }: Registration, address: string): void {
    // Checked again: others may have used it while the password was hashed.
    teamInvitations.joinNew(code, { id, email }, { ...stranger(address), userId: id, name: username });
  }

  /** The invitation of the instance that a code is; undefined where none is needed, or a team invites. */
  function findInvitation({ code, email }: { code?: string | undefined; email: string }) {
    // The first account is the administrator's, created by the set-up.
    if (!users.hasAny()) throw registrationClosed();
    // Members who may invite to a team were admitted by an administrator; closed registration keeps out strangers and
    // older links.
    if (code && teamInvitations.isOpen(code, email)) return undefined;
    if (mode() === 'closed') throw registrationClosed();
    if (code === undefined || code === '') {
      if (mode() === 'open') return undefined;
      throw rejected('invitation_required', 'code', 'Open your invitation link to create an account.');
    }
    const invitation = queries.findOpen(hashSecret(code), now());
    if (!invitation) {
      throw rejected(
        'invalid_invitation',
        'code',
        'This invitation is invalid, used or expired. Ask for a new one.',
      );
    }
    if (invitation.email !== null && !isSameAddress(invitation.email, email)) {
      throw rejected('invitation_email', 'email', 'This invitation is for another email address.');
    }
    return invitation;
  }
}

function registrationClosed() {
  return forbidden('registration_closed', 'This instance does not accept new accounts.');
}

export type RegistrationService = ReturnType<typeof registrationService>;
