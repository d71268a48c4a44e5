import {
  addPlan,
  assignPlan,
  deletePlan,
  listPlans,
  type PlanShown,
  updatePlan,
} from '../../contract/plans.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { Plan } from '../../platform/http/caller.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { offsetAt, parseTimestamp, toUtc } from '../../platform/http/timestamps.ts';
import type { UserAdminService } from '../users/admin-service.ts';
import type { PlanService } from './service.ts';

interface Options {
  plans: PlanService;
  users: UserAdminService;
  now: () => number;
}

/** Plans and who is on them, for administrators (decision 0010). */
export function planRoutes({ plans, users, now }: Options): Route[] {
  return [
    route(listPlans, () => ({ data: plans.all().map(present) })),
    route(addPlan, (call) => ({
      message: 'The plan was created.',
      data: present(plans.add(call.body, actorOf(call))),
    })),
    route(
      updatePlan,
      (call) => ({
        message: 'The plan was updated.',
        data: present(plans.update(call.id, call.body, actorOf(call))),
      }),
      ({ id }) => present(plans.get(id)),
    ),
    route(deletePlan, (call) => {
      plans.remove(call.id, actorOf(call));
      return { message: 'The plan was deleted.' };
    }),
    route(assignPlan, (call) => {
      const { body, ids, caller } = call;
      const plan = plans.get(ids.planid);
      const { timezone } = caller.user;
      const planExpiresAt =
        body.expiration === undefined
          ? endOf(body.type, timezone)
          : body.expiration && parseTimestamp(body.expiration, timezone, 'end', 'expiration');
      users.assignPlan(ids.userid, plan.id, planExpiresAt || null, actorOf(call));
      return { message: `The account is now on the ${plan.name} plan.` };
    }),
  ];

  function present(plan: Plan): PlanShown {
    // Every plan is stored with all of the switches (plans/service.ts and the first migration).
    return { ...plan, features: plan.features as PlanShown['features'], users: plans.countUsers(plan.id) };
  }

  /** A month or a year from now in the calendar of a time zone; null for unlimited. */
  function endOf(type: 'monthly' | 'yearly' | 'lifetime' | undefined, timezone: string): number | null {
    if (type === undefined || type === 'lifetime') return null;
    const local = new Date(now() + offsetAt(now(), timezone));
    const day = local.getUTCDate();
    local.setUTCMonth(local.getUTCMonth() + (type === 'monthly' ? 1 : 12));
    // A month later than the 31st is the last day of a shorter month, not the first of the one after.
    if (local.getUTCDate() !== day) local.setUTCDate(0);
    return toUtc(local.getTime(), timezone);
  }
}
