import { planFull } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { LinkQueries } from './queries.ts';

export interface LinkQuota {
  /** How many links the account's plan still allows; Infinity without a limit. Links in the trash do not count. */
  left(account: Account): number;
  /** Throws 403 `plan_required` if the quota is used up, including `planned` links that do not exist yet. */
  check(account: Account, planned?: number): void;
}

/** The plan's limit for links (`limits.links`; -1 is unlimited). */
export function linkQuota(queries: Pick<LinkQueries, 'count'>): LinkQuota {
  function left({ user, plan }: Account): number {
    const limit = plan.limits.links;
    return limit < 0 ? Number.POSITIVE_INFINITY : limit - queries.count(user.id);
  }
  return {
    left,
    check(account, planned = 0) {
      if (left(account) < 1 + planned) throw linkQuotaExceeded(account);
    },
  };
}

/** 403: the plan is full. */
export function linkQuotaExceeded({ plan }: Account) {
  return planFull('links', plan.limits.links, 'link');
}
