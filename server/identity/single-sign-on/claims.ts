import { planByClaim, rolesByClaim } from '../../contract/claims.ts';
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
  /** The plan of new accounts. */
  defaultPlan: () => number;
  /** Sets a person's role in a team; undefined ends it. Throws 400 if the team is full. */
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
 * Sets plan and teams from claims. People who lose a value lose what the table gave them. A claim that the provider
 * does not send changes nothing: it may be a configuration error there, and nobody should lose a team for it.
 */
export function claimedPowers({
  users,
  planExists,
  defaultPlan,
  setMembership,
  audit,
}: Options): ApplyClaims {
  function applyPlan(userId: number, values: readonly string[], { plans }: ProviderSettings, actor: Actor) {
    const user = users.find(userId)?.user;
    if (!user) return;
    const given = planByClaim(values, plans);
    const isTakenAway = given === undefined && plans.some(({ planid }) => planid === user.plan_id);
    const planId = isTakenAway ? defaultPlan() : given;
    if (planId === undefined || !planExists(planId)) return;
    // An end that an administrator set to the plan of new accounts stays.
    if (user.plan_id === planId && (isTakenAway || user.plan_expires_at === null)) return;
    users.update(userId, { plan_id: planId, plan_expires_at: null });
    audit.note(actor, 'user.updated', { fields: ['planId'], planid: planId, by: 'sso' }, userId);
  }

  function applyTeams(userId: number, values: readonly string[], { teams }: ProviderSettings, actor: Actor) {
    for (const [team, role] of rolesByClaim(values, teams)) {
      try {
        setMembership(team, userId, role, actor);
      } catch (error) {
        // A full team does not prevent signing in.
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
