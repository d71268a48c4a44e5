import { planFull, planRequired } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';

/**
 * Makes the check of a plan's feature: 403 `plan_required` on a plan without it, and where one more is wanted (`isNew`) also
 * on one whose number is reached. `noun` names one of them, `count` says how many a user has.
 */
export function featureCheck(feature: string, noun: string, count: (userId: number) => number) {
  return ({ plan, user }: Account, isNew = false): void => {
    const { enabled = false, count: most = -1 } = plan.features[feature] ?? {};
    if (!enabled) throw planRequired(feature);
    if (isNew && most >= 0 && count(user.id) >= most) throw planFull(feature, most, noun);
  };
}
