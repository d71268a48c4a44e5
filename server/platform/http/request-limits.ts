import type { IncomingMessage } from 'node:http';
import type { Core } from '../core.ts';
import { addressOf, networkOf } from './addresses.ts';
import { rateHeaders } from './headers.ts';
import { type RateLimiters, rateLimiter } from './rate-limit.ts';

/** Budgets a minute (decision 0003). */
export const budgets = { key: 30, session: 600, keyless: 60 };

export interface RequestLimits extends RateLimiters {
  /** The three rate headers of a request that is rejected before the API. */
  headersOf(request: IncomingMessage): Record<string, string>;
}

/** Request counts per minute of keys and addresses. */
export function requestLimits({ clock, settings }: Core): RequestLimits {
  const addresses = rateLimiter(clock);
  return {
    keys: rateLimiter(clock),
    addresses,
    headersOf(request) {
      const address = addressOf(request, settings.current().trustedProxies);
      return rateHeaders(addresses.look(networkOf(address), budgets.keyless));
    },
  };
}
