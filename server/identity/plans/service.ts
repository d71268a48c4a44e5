import type { PlanChange } from '../../contract/plans.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { Plan } from '../../platform/http/caller.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { type NewPlan, type PlanQueries, unlimited } from './queries.ts';

interface Options {
  queries: PlanQueries;
  /** The plan of new accounts. */
  defaultPlan: () => number;
  /** Whether single sign-on gives a plan by a claim. */
  isGivenByClaim: (id: number) => boolean;
  transactions: Transactions;
  audit: AuditLog;
}

/** Plans: what accounts may do. One free plan always remains, as an expired account falls back to it. */
export function planService({ queries, defaultPlan, isGivenByClaim, transactions, audit }: Options) {
  function get(id: number): Plan {
    const plan = queries.find(id);
    if (!plan) throw notFound('Plan');
    return plan;
  }

  function checkName(name: string, ownId?: number): void {
    const isTaken = queries.all().some((plan) => plan.id !== ownId && caseFold(plan.name) === caseFold(name));
    if (isTaken) throw rejected('name_taken', 'name', 'You already have a plan with this name.');
  }

  function isLastFree(id: number): boolean {
    return queries.all().every((plan) => plan.id === id || !plan.free);
  }

  return {
    get,
    find: (id: number): Plan | undefined => queries.find(id),
    all: (): Plan[] => queries.all(),
    countUsers: (id: number): number => queries.countUsers(id),

    /** Throws 400 `name_taken`. */
    add(change: PlanChange & { name: string }, actor: Actor): Plan {
      return transactions.atomically(() => {
        checkName(change.name);
        const id = queries.insert(apply({ name: change.name, ...unlimited }, change));
        audit.note(actor, 'plan.added', { plan: change.name }, null);
        return get(id);
      });
    },

    /** Throws 404, 400 `name_taken` or `last_free_plan`. */
    update(id: number, change: PlanChange, actor: Actor): Plan {
      return transactions.atomically(() => {
        const plan = get(id);
        if (change.name !== undefined) checkName(change.name, id);
        if (change.free === false && isLastFree(id)) throw lastFreePlan();
        queries.update({ id, ...apply(plan, change) });
        audit.note(actor, 'plan.updated', { plan: plan.name, fields: Object.keys(change) }, null);
        return get(id);
      });
    },

    /** Throws 404, 400 `plan_in_use`, `default_plan`, `plan_by_claim` or `last_free_plan`. */
    remove(id: number, actor: Actor): void {
      transactions.atomically(() => {
        const plan = get(id);
        if (queries.countUsers(id) > 0) {
          throw rejected('plan_in_use', undefined, "Move this plan's accounts to another plan first.");
        }
        if (id === defaultPlan()) {
          throw rejected(
            'default_plan',
            undefined,
            'New accounts start on this plan. Choose another default plan first.',
          );
        }
        // Its id may be reused for another plan, which the claim would then assign.
        if (isGivenByClaim(id)) {
          const message =
            'Single sign-on gives this plan to people. Choose another plan for them there first.';
          throw rejected('plan_by_claim', undefined, message);
        }
        if (isLastFree(id)) throw lastFreePlan();
        queries.remove(id);
        audit.note(actor, 'plan.deleted', { plan: plan.name }, null);
      });
    },
  };
}

export type PlanService = ReturnType<typeof planService>;

function apply(plan: NewPlan, change: PlanChange): NewPlan {
  const features: Plan['features'] = { ...plan.features };
  for (const [name, feature] of Object.entries(change.features ?? {})) {
    if (feature) features[name] = { ...(features[name] ?? { enabled: false }), ...withoutUndefined(feature) };
  }
  return {
    name: change.name ?? plan.name,
    free: change.free ?? plan.free,
    permissions: { ...plan.permissions, ...withoutUndefined(change.permissions ?? {}) },
    limits: { ...plan.limits, ...withoutUndefined(change.limits ?? {}) },
    features,
  };
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The same keys, but for those that were not sent.
  return Object.fromEntries(entries) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}

function lastFreePlan() {
  return rejected('last_free_plan', 'free', 'At least one free plan is required: accounts fall back to it.');
}
