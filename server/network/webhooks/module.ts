import { keyQueries } from '../../identity/keys/queries.ts';
import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { webhookDelivery } from './delivery.ts';
import { webhookPowers } from './powers.ts';
import { webhookLists, webhookQueries } from './queries.ts';
import { webhookRoutes } from './routes.ts';
import { webhookService } from './service.ts';

interface Options {
  identity: Pick<Identity, 'vault'>;
  redirects: Pick<Redirects, 'onCounted'>;
}

/** Sets up webhooks: their storage and deliveries. */
export function webhookModule(core: Core, { identity, redirects }: Options): Module {
  const { baseUrl, changes, clock, fetcher, log, transactions } = core;
  const database = core.databases.main;
  const queries = webhookQueries(database);
  const shared = {
    queries,
    fetcher,
    vault: identity.vault,
    baseUrl,
    now: clock.now,
    monotonic: clock.monotonic,
    randomBytes: core.random.bytes,
    transactions,
    wakeClearing: core.backlog.add({ name: 'webhooks', step: queries.clear }),
    changes,
    log,
  };
  const mayHear = webhookPowers({ findKey: keyQueries(database).findAnyApiKey, now: clock.now });
  const wakePlanning = core.backlog.add({ name: 'webhook messages', step: () => delivery.planStep() });
  const delivery = webhookDelivery({ mayHear, wakePlanning, ...shared });
  changes.subscribe(({ resource }) => {
    // Triggers wrote down what happened; changes of webhooks themselves are no news to them.
    if (resource !== 'webhooks' && resource !== 'audit') delivery.happened();
  });
  core.revokedKeys.subscribe(delivery.keyChanged);
  redirects.onCounted(delivery.clicked);
  return {
    routes: webhookRoutes({
      webhooks: webhookService({ delivery, lists: webhookLists(core.reader), ...shared }),
    }),
    jobs: [delivery.job],
    close: delivery.stop,
  };
}
