import type { Role } from '../../contract/roles.ts';
import type { ProviderSettings } from '../../contract/single-sign-on.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { Refusal } from '../../platform/errors.ts';
import type { UserService } from '../users/service.ts';
import type { Claims } from './provider.ts';

interface Options {
  users: Pick<UserService, 'find' | 'update'>;
  planExists: (id: number) => boolean;
  /** Makes somebody's part in a team what was decided; undefined ends it. Throws 400 where the team has no room. */
  setMembership: (team: number, person: number, role: Role | undefined, actor: Actor) => void;
  audit: AuditLog;
}

/** Applies what the provider says of a person; runs inside the transaction of the sign-in. */
export type ApplyClaims = (
  userId: number,
  claims: Pick<Claims, 'valuesOf'>,
  settings: ProviderSettings,
  actor: Actor,
) => void;

/**
 * Plan and teams by the claims of single sign-on. A claim that the provider does not send changes nothing: it may have
 * been forgotten there, and nobody is to lose a team for it.
 */
export function claimedPowers({ users, planExists, setMembership, audit }: Options): ApplyClaims {
  function applyPlan(userId: number, values: readonly string[], { plans }: ProviderSettings, actor: Actor) {
    const planId = plans.find(({ value }) => values.includes(value))?.planid;
    const user = users.find(userId)?.user;
    if (!user || planId === undefined || !planExists(planId)) return;
    if (user.plan_id === planId && user.plan_expires_at === null) return;
    users.update(userId, { plan_id: planId, plan_expires_at: null });
    audit.note(actor, 'user.updated', { fields: ['planId'], planid: planId, by: 'sso' }, userId);
  }

  function applyTeams(userId: number, values: readonly string[], { teams }: ProviderSettings, actor: Actor) {
    for (const team of new Set(teams.map((each) => each.team))) {
      const role = teams.find((each) => each.team === team && values.includes(each.value))?.role;
      try {
        setMembership(team, userId, role, actor);
      } catch (error) {
        // A team that is full keeps nobody from signing in.
        if (!(error instanceof Refusal)) throw error;
        const member = users.find(userId)?.user.username ?? '';
        audit.note(actor, 'member.refused', { member, reason: error.details.code }, team);
      }
    }
  }

  return (userId, claims, settings, stranger) => {
    const actor = { ...stranger, userId, name: users.find(userId)?.user.username ?? '' };
    const { planclaim, teamclaim } = settings;
    const planValues = planclaim === null ? undefined : claims.valuesOf(planclaim);
    if (planValues) applyPlan(userId, planValues, settings, actor);
    const teamValues = teamclaim === null ? undefined : claims.valuesOf(teamclaim);
    if (teamValues) applyTeams(userId, teamValues, settings, actor);
  };
}
