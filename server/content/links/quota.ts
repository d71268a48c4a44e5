import { planFull } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { LinkQueries } from './queries.ts';

export interface LinkQuota {
  /** How many more links the account's plan has room for; Infinity without a limit. Links in the trash take none. */
  left(account: Account): number;
  /** Throws 403 `plan_required` when there is no room for another link beside `planned` ones that are not there yet. */
  check(account: Account, planned?: number): void;
}

/** The bound that a plan sets to the number of links (`limits.links`; -1 is none). */
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
