import type { Role } from '../../contract/roles.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { UserService } from '../users/service.ts';
import type { TeamQueries } from './queries.ts';

/** A person's role in an account. */
export interface AccountMembership {
  account: Account;
  role: Role;
  /** Whether they see only what they created. */
  ownOnly: boolean;
}

interface Options {
  users: Pick<UserService, 'find'>;
  teams: Pick<TeamQueries, 'membership'>;
}

/** Looks up a person's role in an account: owner of their own; undefined if they do not belong to it. */
export function memberships({ users, teams }: Options) {
  return (person: Account, id: number): AccountMembership | undefined => {
    if (id === person.user.id) return { account: person, role: 'owner', ownOnly: false };
    const membership = teams.membership(id, person.user.id);
    const account = membership && users.find(id);
    return account && { account, role: membership.role, ownOnly: membership.own_only === 1 };
  };
}

export type MembershipOf = ReturnType<typeof memberships>;
