import { powers, type Role } from '../../contract/roles.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, planRequired, type Refusal, rejected } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { sessionOnly } from '../../platform/http/member-check.ts';
import type { Page } from '../../platform/http/pagination.ts';
import type { Moment } from '../../platform/mail/letters.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { isSameAddress } from '../../platform/text/mail-address.ts';
import { hashSecret } from '../keys/secrets.ts';
import { checkCeiling } from '../plans/ceilings.ts';
import type { MailInvitation } from '../users/invitation-mail.ts';
import type { UserService } from '../users/service.ts';
import type { TeamInvitationQueries, TeamInvitationRow } from './invitation-queries.ts';
import type { TeamQueries } from './queries.ts';
import { checkOwnOnly, type TeamService } from './service.ts';

const week = 7 * 86_400_000;

interface Options {
  queries: TeamInvitationQueries;
  teams: Pick<TeamService, 'admit' | 'checkRoom' | 'checkAdmissible' | 'getFor' | 'tell'>;
  rows: Pick<TeamQueries, 'exists' | 'membership'>;
  users: Pick<UserService, 'find'>;
  mailInvitation: MailInvitation;
  transactions: Transactions;
  audit: AuditLog;
  randomBytes: (size: number) => Buffer;
  now: () => number;
}

interface Wish {
  role: Role;
  ownOnly: boolean;
  expiresAt: number | undefined;
  uses: number;
  email: string | undefined;
}

/** What a code invites to. */
export interface InvitationPreview {
  team: string;
  role: Role;
  ownOnly: boolean;
  expiresAt: number;
  /** Undefined for a deleted person. */
  invitedBy: string | undefined;
  isBound: boolean;
  /** Whom it is for, where that is who asks. */
  email: string | null;
}

/** Someone who has a code. */
interface Guest {
  id: number;
  email: string;
}

/** Invitations to teams: anyone with a code can join, with an existing or a new account. */
export function teamInvitations(options: Options) {
  const { queries, teams, rows, users, transactions, audit, randomBytes, now } = options;

  /** Whether the creator of an invitation may still invite. */
  function isInviterAllowed({ team_id: team, created_by: inviter }: TeamInvitationRow): boolean {
    if (inviter === null || !users.find(inviter)?.user.active) return false;
    return powers[rows.membership(team, inviter)?.role ?? 'viewer'].manage === true;
  }

  /** Whether it is for this person, and not older than their leaving the team; undefined if not known yet. */
  function isMeantFor(invitation: TeamInvitationRow, { id, email }: Partial<Guest>): boolean {
    if (id !== undefined && queries.isBarred(invitation.id, id)) return false;
    return email === undefined || invitation.email === null || isSameAddress(invitation.email, email);
  }

  /** Throws 400 with the reason why a code is not valid. */
  function check(invitation: TeamInvitationRow | undefined, guest: Partial<Guest>): TeamInvitationRow {
    const isThere = invitation && rows.exists(invitation.team_id) && isInviterAllowed(invitation);
    if (!isThere || !isMeantFor(invitation, guest)) {
      throw refused('invite_invalid', 'This invitation is invalid. Ask for a new one.');
    }
    if (invitation.expires_at <= now()) {
      throw refused('invite_expired', 'This invitation has expired. Ask for a new one.');
    }
    return invitation;
  }

  /** Runs inside a transaction, so that concurrent requests never exceed the number of uses. */
  function join(code: string, { id, email }: Guest, actor: Actor): number {
    const invitation = check(queries.findByHash(hashSecret(code)), { id, email });
    const { team_id: team, role, own_only: ownOnly } = invitation;
    if (invitation.used >= invitation.uses && !rows.membership(team, id)) throw usedUp();
    teams.admit(team, id, role, ownOnly === 1);
    if (!queries.use(invitation.id)) throw usedUp();
    audit.note(actor, 'member.joined', { member: actor.name, role }, team);
    return team;
  }

  return {
    /**
     * What a code invites to, for signed-in people and anyone who has it. Throws 400 in the same cases as joining. For
     * people who are not signed in, the code shows the team, but not the invited address.
     */
    preview(code: string, guest: Guest | undefined): InvitationPreview {
      const invitation = check(queries.findByHash(hashSecret(code)), guest ?? {});
      const { team_id: team, email, role, own_only: ownOnly, expires_at: expiresAt } = invitation;
      const isMember = guest !== undefined && rows.membership(team, guest.id) !== undefined;
      const inviter = invitation.created_by === null ? undefined : users.find(invitation.created_by)?.user;
      if (invitation.used >= invitation.uses && !isMember) throw usedUp();
      if (guest) teams.checkAdmissible(team, guest.id);
      else teams.checkRoom(team);
      return {
        team: users.find(team)?.user.name ?? '',
        role,
        ownOnly: ownOnly === 1,
        expiresAt,
        invitedBy: inviter && (inviter.name || inviter.username),
        isBound: email !== null,
        email: guest ? email : null,
      };
    },

    /**
     * Creates an invitation, and emails it if it is for an address and mail is configured; its code cannot be read
     * again. Throws 403 or 400, or 429 if too many are emailed.
     */
    invite(
      id: number,
      caller: Caller,
      wish: Wish,
      letter: (code: string, expiresAt: number) => { url: string; until: Moment; languages: string[] },
      actor: Actor,
    ): { id: number; code: string; mailed: boolean } {
      const { role, ownOnly, expiresAt = now() + week, uses, email } = wish;
      teams.getFor(id, caller, 'manage');
      const team = users.find(id);
      if (!team?.plan.features.team?.enabled) throw planRequired('team');
      checkOwnOnly(role, ownOnly);
      if (expiresAt <= now()) throw rejected('expires_in_past', 'expires', 'Choose a time in the future.');
      const code = randomBytes(24).toString('base64url');
      return transactions.atomically(() => {
        checkCeiling('invitations', queries.count(id));
        const made = queries.insert({
          teamId: id,
          hash: hashSecret(code),
          role,
          ownOnly: ownOnly ? 1 : 0,
          email: email ?? null,
          emailFolded: email === undefined ? null : caseFold(email),
          uses,
          createdBy: caller.person.user.id,
          createdAt: now(),
          expiresAt,
        });
        audit.note(actor, 'team.invited', { role, email: email ?? null }, id);
        teams.tell(id);
        const mailed =
          email !== undefined &&
          options.mailInvitation(
            { to: email, by: actor.name, team: team.user.name, ...letter(code, expiresAt) },
            actor,
          );
        return { id: made, code, mailed };
      });
    },

    list(id: number, caller: Caller, page: { limit: number; offset: number }): Page<TeamInvitationRow> {
      teams.getFor(id, caller, 'manage');
      return queries.list(id, page);
    },

    /** Withdraws an invitation. Throws 404. */
    remove(invitation: number, team: number, caller: Caller, actor: Actor): void {
      transactions.atomically(() => {
        teams.getFor(team, caller, 'manage');
        if (!queries.remove(invitation, team)) throw notFound('Invitation');
        audit.note(actor, 'team.invitation_withdrawn', {}, team);
        teams.tell(team);
      });
    },

    /** Joins by a code; returns the team's id. Throws 403 for a key, or 400; a refusal takes no use. */
    join({ person, key }: Caller, code: string, actor: Actor): number {
      if (key.kind !== 'session') throw sessionOnly();
      return transactions.atomically(() => join(code, person.user, actor));
    },

    /** Whether a code belongs to a team; throws 400 if it does but is not valid. */
    isOpen(code: string, email: string): boolean {
      const invitation = queries.findByHash(hashSecret(code));
      if (!invitation) return false;
      const { used, uses } = check(invitation, { email });
      if (used >= uses) throw usedUp();
      return true;
    },

    /** Adds a newly registered person. Runs inside the transaction of the registration. */
    joinNew: join,
  };
}

export type TeamInvitations = ReturnType<typeof teamInvitations>;

function refused(code: string, message: string): Refusal {
  return rejected(code, 'code', message);
}

function usedUp(): Refusal {
  return refused('invite_used', 'This invitation has been used up. Ask for a new one.');
}
