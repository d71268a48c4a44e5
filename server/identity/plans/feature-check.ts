import { planFull, planRequired } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { type Ceiling, checkCeiling } from './ceilings.ts';

/**
 * Creates the check of a plan's feature: 403 `plan_required` if the plan lacks it or, for a new item (`isNew`), its
 * quota is used up, and 400 `too_many` at the ceiling of all plans. `resource` is the item's name in the message,
 * `count` returns how many a user has.
 */
export function featureCheck(
  feature: string,
  resource: string,
  ceiling: Ceiling,
  count: (userId: number) => number,
) {
  return ({ plan, user }: Account, isNew = false): void => {
    const { enabled = false, count: most = -1 } = plan.features[feature] ?? {};
    if (!enabled) throw planRequired(feature);
    if (!isNew) return;
    const there = count(user.id);
    if (most >= 0 && there >= most) throw planFull(feature, most, resource);
    checkCeiling(ceiling, there);
  };
}
