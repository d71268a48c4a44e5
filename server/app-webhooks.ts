import type { Logger } from 'pino';
import type { Connection } from './database/connect.ts';
import type { Transactions } from './database/transactions.ts';
import type { Fetcher } from './fetcher/fetcher.ts';
import type { Route } from './http/serve.ts';
import { keyQueries } from './keys/queries.ts';
import type { Vault } from './keys/vault.ts';
import { type WebhookDelivery, webhookDelivery } from './webhooks/delivery.ts';
import { webhookPowers } from './webhooks/powers.ts';
import { webhookQueries } from './webhooks/queries.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { webhookService } from './webhooks/service.ts';

interface Options {
  database: Connection;
  fetcher: Fetcher;
  vault: Vault;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  onChange: (userId: number, resource: string, ids: number[]) => void;
  log: Logger;
}

/** Wires webhooks: what is kept of them, and what brings messages to them. */
export function webhookModules({ database, ...options }: Options): WebhookDelivery & { routes: Route[] } {
  const queries = webhookQueries(database);
  const mayHear = webhookPowers({ findKey: keyQueries(database).findAnyApiKey, now: options.now });
  const delivery = webhookDelivery({ queries, mayHear, ...options });
  return {
    ...delivery,
    routes: webhookRoutes({ webhooks: webhookService({ queries, delivery, ...options }) }),
  };
}
