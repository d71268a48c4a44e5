import { type Action, limitedRoles, powers, type Role } from '../../contract/roles.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, planRequired, Refusal, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { EndedMembership } from '../../platform/events/ended-membership.ts';
import type { Feed } from '../../platform/events/feed.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { roleTooLow, sessionOnly } from '../../platform/http/member-check.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { trashMs } from '../../platform/trash/duration.ts';
import type { KeyService } from '../keys/service.ts';
import type { Proof } from '../sessions/proof.ts';
import type { UserService } from '../users/service.ts';
import type { TeamInvitationQueries } from './invitation-queries.ts';
import type { MemberRow, OwnedTeamRow, TeamLists, TeamQueries, TeamRow, TrashedTeamRow } from './queries.ts';

/** Teams of one person, and members of one team, whatever the plan: far above any use, and no way to fill the disk. */
const mostTeams = 200;
/** Teams that one person owns, those in the trash with them: each has all that the plan allows. */
const mostOwned = 20;
const mostMembers = 1_000;

interface Options {
  queries: TeamQueries;
  invitations: Pick<TeamInvitationQueries, 'removeOf' | 'bar'>;
  lists: TeamLists;
  users: Pick<UserService, 'find'>;
  keys: Pick<KeyService, 'revokeInAccount' | 'endStreamsOfAccount'>;
  /** Checks the password, and the code where there is one, of the one who asks. */
  prove: Proof;
  transactions: Transactions;
  audit: AuditLog;
  endedMemberships: Pick<Feed<EndedMembership>, 'publish'>;
  changes: Pick<Changes, 'publish'>;
  now: () => number;
}

interface PageOf {
  limit: number;
  offset: number;
}

/** Teams and their members (decision 0066). The caller is the person who asks. */
export function teamService(options: Options) {
  const {
    queries,
    invitations,
    lists,
    users,
    keys,
    prove,
    transactions,
    audit,
    endedMemberships,
    changes,
    now,
  } = options;

  /** The team as the caller sees it. Throws 404 for non-members, and for a key of another account. */
  function get(id: number, { person, key }: Caller): TeamRow {
    const team = queries.find(id, person.user.id);
    if (!team || (key.account_id !== null && key.account_id !== id)) throw notFound('Team');
    return team;
  }

  /** The same, for anyone who may do so much there. Throws 403 `role_too_low` as well. */
  function getFor(id: number, caller: Caller, action: Action): TeamRow {
    const team = get(id, caller);
    if (powers[team.role][action] !== true) throw roleTooLow();
    return team;
  }

  function getMember(team: number, person: number): MemberRow {
    const member = queries.findMember(team, person);
    if (!member) throw notFound('Member');
    return member;
  }

  /** A member, for anyone who manages the team. Throws 404 for either before 403. */
  function memberFor(id: number, person: number, caller: Caller): MemberRow {
    get(id, caller);
    const member = getMember(id, person);
    getFor(id, caller, 'manage');
    return member;
  }

  /** Notifies open pages of the team, and of its members' lists of teams, of a change. */
  function tell(team: number, ...people: number[]): void {
    for (const accountId of new Set([team, ...people])) {
      changes.publish({ accountId, resource: 'teams', ids: [team] });
    }
  }

  /** Invitations of members who may no longer invite are deleted: their own code could restore a role that ended. */
  function withdrawInvitations(team: number, person: number, actor: Actor): void {
    if (invitations.removeOf(person, team) > 0) audit.note(actor, 'team.invitation_withdrawn', {}, team);
  }

  /** Runs inside a transaction: what the person keeps open there ends, and coming back revives nothing. */
  function end(team: number, person: number, actor: Actor): void {
    queries.removeMember(team, person);
    withdrawInvitations(team, person, actor);
    invitations.bar(person, team);
    keys.revokeInAccount(team, person);
    endedMemberships.publish({ accountId: team, personId: person });
    tell(team, person);
  }

  /** Runs inside a transaction: work started with the former role ends; it can be started again if still permitted. */
  function setRole(team: number, person: number, role: Role, ownOnly: boolean, actor: Actor): void {
    queries.setRole(team, person, role, ownOnly);
    if (powers[role].manage !== true) withdrawInvitations(team, person, actor);
    endedMemberships.publish({ accountId: team, personId: person });
    tell(team, person);
  }

  /** Throws 400 `team_full` when the team's plan allows no further member. */
  function checkRoom(team: number): void {
    const { enabled = false, count = -1 } = users.find(team)?.plan.features.team ?? {};
    const there = queries.countMembers(team);
    if (!enabled || (count >= 0 && there >= count)) throw teamFull();
    if (there >= mostMembers) throw teamFull();
  }

  /** Throws 400 `too_many` for people who are in the maximum number of teams. */
  function checkTeams(person: number): void {
    if (queries.countOf(person) < mostTeams) return;
    throw rejected('too_many', undefined, `You can be in at most ${mostTeams} teams. Leave one first.`);
  }

  /** Throws 400 `too_many` for people who own the maximum number of teams. */
  function checkOwned(person: number, message: string): void {
    if (queries.countOwned(person) >= mostOwned) throw rejected('too_many', undefined, message);
  }

  /** Throws 400 `already_member`, `team_full` or `too_many`. */
  function checkAdmissible(team: number, person: number): void {
    if (queries.membership(team, person)) {
      // Members may learn which team it is, and want to go there.
      const message = 'You are a member of this team already.';
      throw new Refusal(400, message, { code: 'already_member', data: { id: team } });
    }
    checkRoom(team);
    checkTeams(person);
  }

  /** Runs inside a transaction. Throws what `checkAdmissible` throws. */
  function admit(team: number, person: number, role: Role, ownOnly: boolean): void {
    checkAdmissible(team, person);
    queries.addMember({ team, person, role, ownOnly: ownOnly ? 1 : 0, at: now() });
    tell(team, person);
  }

  /** Creates a team on its owner's plan. Throws 403 `plan_required`, or 400 `too_many`. */
  function found({ user, plan }: Account, name: string, actor: Actor): number {
    if (!plan.features.team?.enabled) throw planRequired('team');
    return transactions.atomically(() => {
      checkTeams(user.id);
      const advice = 'Deleted ones count until they are permanently deleted, after 30 days.';
      checkOwned(user.id, `You can own at most ${mostOwned} teams. ${advice}`);
      const id = queries.insert({
        name,
        planId: user.plan_id,
        planExpiresAt: user.plan_expires_at,
        timezone: user.timezone,
        at: now(),
      });
      queries.addMember({ team: id, person: user.id, role: 'owner', ownOnly: 0, at: now() });
      audit.note(actor, 'team.added', { team: name }, id);
      tell(id, user.id);
      return id;
    });
  }

  return {
    get,
    getFor,
    memberFor,
    admit,
    checkAdmissible,
    checkRoom,
    tell,

    list: ({ person, key }: Caller, page: PageOf): Page<TeamRow> => {
      if (key.account_id === null) return queries.list(person.user.id, page);
      const own = queries.find(key.account_id, person.user.id);
      return { rows: own && page.offset === 0 ? [own] : [], total: own ? 1 : 0 };
    },

    /** Teams that a person deleted and can still restore. The key of a team has none: it ended with the team. */
    listDeleted: ({ person, key }: Caller, page: PageOf): Page<TrashedTeamRow> =>
      key.account_id === null
        ? queries.listTrashed(person.user.id, now() - trashMs, page)
        : { rows: [], total: 0 },

    /** All teams, for administrators of the instance. */
    listAll: ({ person }: Caller, page: PageOf): Promise<Page<OwnedTeamRow>> =>
      lists.every(person.user.id, page),

    /** Creates a team on its creator's plan. Throws 403 `plan_required`, and for a team's key. */
    add({ person, key }: Caller, name: string, actor: Actor): number {
      if (key.account_id !== null) throw sessionOnly();
      return found(person, name, actor);
    },

    found,

    /**
     * Adds a member or changes their role, from the command line. Throws 404, or 400 for the owner's role and a full
     * team.
     */
    setMember(team: number, person: number, role: Role, ownOnly: boolean, actor: Actor): void {
      transactions.atomically(() => {
        if (!queries.exists(team)) throw notFound('Team');
        checkOwnOnly(role, ownOnly);
        const member = queries.findMember(team, person);
        if (role === 'owner' || member?.role === 'owner') throw ownerByTransfer();
        if (member) setRole(team, person, role, ownOnly, actor);
        else admit(team, person, role, ownOnly);
        const { username } = getMember(team, person);
        audit.note(actor, 'member.updated', { member: username, role, own_only: ownOnly }, team);
      });
    },

    /** Removes a member, from the command line. Throws 404, or 400 for the owner. */
    dropMember(team: number, person: number, actor: Actor): void {
      transactions.atomically(() => {
        if (!queries.exists(team)) throw notFound('Team');
        const member = getMember(team, person);
        if (member.role === 'owner') throw ownerByTransfer();
        end(team, person, actor);
        audit.note(actor, 'member.removed', { member: member.username }, team);
      });
    },

    /**
     * Sets a role that was decided elsewhere; undefined ends it. The owner is not changed. Runs inside a transaction.
     * Throws 400 `team_full` or `too_many`.
     */
    setMembership(id: number, person: number, role: Role | undefined, actor: Actor): void {
      if (!queries.exists(id)) return;
      const member = queries.findMember(id, person);
      if (!member) {
        if (role === undefined) return;
        admit(id, person, role, false);
        audit.note(actor, 'member.joined', { member: actor.name, role }, id);
      } else if (role === undefined) {
        if (member.role === 'owner') return;
        end(id, person, actor);
        audit.note(actor, 'member.removed', { member: member.username }, id);
      } else if (member.role !== 'owner' && member.role !== role) {
        setRole(id, person, role, member.own_only === 1 && limitedRoles.includes(role), actor);
        audit.note(actor, 'member.updated', { member: member.username, role }, id);
      }
    },

    rename(id: number, caller: Caller, name: string, actor: Actor): void {
      transactions.atomically(() => {
        getFor(id, caller, 'manage');
        queries.rename(id, name);
        tell(id, ...queries.memberIds(id));
        audit.note(actor, 'team.updated', { team: name }, id);
      });
    },

    /**
     * Into the trash, with everything that it owns: nothing of it answers from now on. Throws 400 for a wrong password.
     */
    async remove(
      id: number,
      caller: Caller,
      proof: { password?: string | undefined; code?: string | undefined },
      actor: Actor,
    ): Promise<void> {
      getFor(id, caller, 'own');
      await prove(caller, proof, actor, { field: 'password', withCode: true });
      transactions.atomically(() => {
        const { name } = getFor(id, caller, 'own');
        queries.trash(id, now());
        keys.endStreamsOfAccount(id);
        const members = queries.memberIds(id);
        for (const personId of members) endedMemberships.publish({ accountId: id, personId });
        tell(id, ...members);
        audit.note(actor, 'team.deleted', { team: name }, id);
      });
    },

    /** Takes a deletion back. Throws 404 when there is nothing to restore, or no longer. */
    restore(id: number, { person, key }: Caller, actor: Actor): void {
      transactions.atomically(() => {
        const team = queries.findTrashed(id, person.user.id, now() - trashMs);
        if (!team || (key.account_id !== null && key.account_id !== id)) throw notFound('Team');
        if (powers[team.role].own !== true) throw roleTooLow();
        queries.restore(id);
        audit.note(actor, 'team.restored', { team: team.name }, id);
        tell(id, ...queries.memberIds(id));
      });
    },

    /** The members of a team; people who see only their own records see only themselves. */
    members(id: number, caller: Caller, page: PageOf): Page<MemberRow> {
      const team = get(id, caller);
      if (team.own_only === 0) return queries.members(id, page);
      const self = getMember(id, caller.person.user.id);
      return { rows: page.offset === 0 ? [self] : [], total: 1 };
    },

    /** Throws 404, also for members whom the caller may not see. */
    member(id: number, person: number, caller: Caller): MemberRow {
      const team = get(id, caller);
      if (team.own_only === 1 && person !== caller.person.user.id) throw notFound('Member');
      return getMember(id, person);
    },

    /** Throws 404, 403 or 400: the owner's role changes by a transfer only. */
    updateMember(
      id: number,
      person: number,
      caller: Caller,
      wish: { role?: Role | undefined; own_only?: boolean | undefined },
      actor: Actor,
    ): void {
      transactions.atomically(() => {
        const member = memberFor(id, person, caller);
        if (member.role === 'owner' || wish.role === 'owner') throw ownerByTransfer();
        const role = wish.role ?? member.role;
        const ownOnly = wish.own_only ?? member.own_only === 1;
        checkOwnOnly(role, ownOnly);
        if (role === member.role && ownOnly === (member.own_only === 1)) return;
        setRole(id, person, role, ownOnly, actor);
        audit.note(actor, 'member.updated', { member: member.username, role, own_only: ownOnly }, id);
      });
    },

    /** Removes a member. Throws 404, 403, or 400 `owner_by_transfer` for the owner. */
    removeMember(id: number, person: number, caller: Caller, actor: Actor): void {
      transactions.atomically(() => {
        const member = memberFor(id, person, caller);
        if (member.role === 'owner') throw ownerByTransfer();
        end(id, person, actor);
        audit.note(actor, 'member.removed', { member: member.username }, id);
      });
    },

    /** Throws 400 `last_owner`: a team has exactly one. */
    leave(id: number, caller: Caller, actor: Actor): void {
      transactions.atomically(() => {
        const { role } = get(id, caller);
        if (role === 'owner') {
          const message = 'You own this team. Transfer it to another member before you leave, or delete it.';
          throw rejected('last_owner', undefined, message);
        }
        audit.note(actor, 'member.left', { member: actor.name }, id);
        end(id, caller.person.user.id, actor);
      });
    },

    /** Makes another member the owner. Throws 403, or 400 for non-members and for a wrong password. */
    async transfer(
      id: number,
      person: number,
      caller: Caller,
      proof: { password?: string | undefined; code?: string | undefined },
      actor: Actor,
    ): Promise<void> {
      const check = () => {
        getFor(id, caller, 'own');
        const member = queries.findMember(id, person);
        if (!member || member.role === 'owner') {
          throw rejected('unknown_member', 'userid', 'Choose another member of this team.');
        }
        return member;
      };
      check();
      await prove(caller, proof, actor, { field: 'password', withCode: true });
      transactions.atomically(() => {
        const member = check();
        checkOwned(person, `${member.name} owns as many teams as one person can. Choose another member.`);
        setRole(id, caller.person.user.id, 'admin', false, actor);
        setRole(id, person, 'owner', false, actor);
        audit.note(actor, 'team.transferred', { to: member.username }, id);
      });
    },

    /** Makes an instance administrator an admin of a team; its owner sees that in their activity. */
    admitAdministrator(id: number, { person }: Caller, actor: Actor): void {
      transactions.atomically(() => {
        if (!queries.exists(id)) throw notFound('Team');
        admit(id, person.user.id, 'admin', false);
        const details = { member: person.user.username, team: id };
        audit.note(actor, 'team.admitted', details, id);
        audit.note(actor, 'team.admitted', details, queries.ownerOf(id) ?? null);
      });
    },
  };
}

export type TeamService = ReturnType<typeof teamService>;

/** Throws 400 `own_only` for roles that work with everyone's records. */
export function checkOwnOnly(role: Role, ownOnly: boolean): void {
  if (!ownOnly || limitedRoles.includes(role)) return;
  const message = 'Only viewers and contributors can be limited to what they created. Choose another role.';
  throw rejected('own_only', 'own_only', message);
}

function ownerByTransfer(): Refusal {
  const message = 'A team has one owner, who changes only when the team is transferred.';
  return rejected('owner_by_transfer', undefined, message);
}

function teamFull(): Refusal {
  return rejected(
    'team_full',
    undefined,
    "This team has as many members as its plan allows. Ask the team's owner.",
  );
}
