import type { Logger } from 'pino';
import { keyQueries } from '../../identity/keys/queries.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { Vault } from '../../platform/vault.ts';
import { type WebhookDelivery, webhookDelivery } from './delivery.ts';
import { webhookPowers } from './powers.ts';
import { webhookQueries } from './queries.ts';
import { webhookRoutes } from './routes.ts';
import { webhookService } from './service.ts';

interface Options {
  database: Connection;
  fetcher: Fetcher;
  vault: Vault;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  backlog: Backlog;
  changes: Pick<Changes, 'publish'>;
  log: Logger;
}

/** Wires webhooks: what is kept of them, and what brings messages to them. */
export function webhookModules({
  database,
  backlog,
  ...others
}: Options): WebhookDelivery & { routes: Route[] } {
  const queries = webhookQueries(database);
  const wakeClearing = backlog.add({ name: 'webhooks', step: queries.clear });
  const options = { ...others, wakeClearing };
  const mayHear = webhookPowers({ findKey: keyQueries(database).findAnyApiKey, now: options.now });
  const delivery = webhookDelivery({ queries, mayHear, ...options });
  return {
    ...delivery,
    routes: webhookRoutes({ webhooks: webhookService({ queries, delivery, ...options }) }),
  };
}
