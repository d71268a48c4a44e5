import { dirname } from 'node:path';
import { bioModule } from './content/bio/module.ts';
import { campaignModule } from './content/campaigns/module.ts';
import { channelModule } from './content/channels/module.ts';
import { fileModule } from './content/files/module.ts';
import { healthModule } from './content/health/module.ts';
import { interstitialModule } from './content/interstitials/module.ts';
import { linkModule } from './content/links/module.ts';
import { movingModule } from './content/moving/module.ts';
import { pictureQueries } from './content/pictures/queries.ts';
import { pixelModule } from './content/pixels/module.ts';
import { qrModule } from './content/qr/module.ts';
import { statsPageModule } from './content/stats-pages/module.ts';
import { unmatchedModule } from './content/unmatched/module.ts';
import { purposes } from './identity/keys/purposes.ts';
import { identityModule } from './identity/module.ts';
import { domainModule } from './network/domains/module.ts';
import { fleetModule } from './network/fleet/module.ts';
import { sharingModule } from './network/sharing/module.ts';
import { webhookModule } from './network/webhooks/module.ts';
import type { App, AppOptions } from './operations/app-interface.ts';
import { backupModule } from './operations/backup/module.ts';
import { instanceModule } from './operations/instance/module.ts';
import { placesModule } from './operations/places/module.ts';
import { createCore, stopWork } from './platform/core.ts';
import { liveModule } from './platform/events/module.ts';
import { httpModule } from './platform/http/module.ts';
import { requestLimits } from './platform/http/request-limits.ts';
import type { Route } from './platform/http/serve.ts';
import type { Module } from './platform/module.ts';
import { trashModule } from './platform/trash/module.ts';
import { retentionModule } from './visits/clicks/module.ts';
import { parameterModule } from './visits/parameters/module.ts';
import { privacyModule } from './visits/privacy/module.ts';
import { redirectModule } from './visits/redirects/module.ts';
import { placeDatabase } from './visits/redirects/place-database.ts';
import { statsModule } from './visits/stats/module.ts';

/** Wires the server together: the one place where modules meet, and its table of contents. */
export function createApp(options: AppOptions): App {
  const { version } = options;
  const open = new AsyncDisposableStack();
  const core = createCore(options, open);
  const routes: Route[] = [];
  function add<Added extends Module>(module: Added): Added {
    routes.push(...(module.routes ?? []));
    for (const job of module.jobs ?? []) core.jobs.add(job);
    if (module.close) open.defer(module.close);
    return module;
  }

  const places = placeDatabase({
    started: options.geolocation,
    folder: dirname(core.databases.file),
    log: core.log,
  });
  const countryOf = (address: string) => places.find(address).country;
  const identity = add(identityModule(core, { ...options, countryOf }));
  const redirects = add(redirectModule(core, { ...options, identity, geolocation: places }));
  const { stats, clicks, clickExports } = add(statsModule(core, redirects));
  add(privacyModule(core));
  add(parameterModule(core));
  const live = add(liveModule(core, { ...clicks, onCounted: redirects.onCounted }));
  const retention = add(retentionModule(core, { accountAfter: identity.users.findAfter }));
  const { trash } = add(trashModule(core, { pictures: pictureQueries(core.databases.main) }));

  const { service: moving } = add(movingModule(core, { identity, redirects, retention }));
  const links = add(linkModule(core, { identity, redirects, retention, stats, clickExports, moving }));
  add(healthModule(core, identity));
  add(unmatchedModule(core, { links }));
  const { contents } = add(fileModule(core, { ...options, identity, links, redirects }));
  const bio = add(bioModule(core, { identity, links, redirects, trash }));
  const qr = add(qrModule(core, { identity, links, redirects, trash, stats }));
  add(channelModule(core, { links, trash, items: { bio: bio.findItem, qr: qr.findItem } }));
  add(campaignModule(core, { links, redirects, trash, stats }));
  add(statsPageModule(core, { identity, redirects, stats }));
  add(interstitialModule(core, { identity, links, trash }));
  add(pixelModule(core, { trash }));

  const limits = requestLimits(core);
  const domains = add(domainModule(core, { ...options, identity, links, redirects, ownsBio: bio.isOwned }));
  const { certificates } = domains;
  const sharing = add(
    sharingModule(core, { network: options.network, certificates, rateHeadersOf: limits.headersOf }),
  );
  add(webhookModule(core, { identity, redirects }));
  const fleet = add(
    fleetModule(core, {
      certificates,
      contents,
      domains,
      identity,
      purpose: purposes.fleet(),
      redirects,
      told: options.config.fleet,
    }),
  );
  // An edge only passes on what its origin's visitors may see: it takes in nothing that would have to be kept.
  if (options.answersFor) {
    void core.writes.close();
    const { names } = options.answersFor;
    core.hosts.add({ names, httpsPort: () => undefined, origin: () => undefined });
  }

  // Before modules are closed nothing works by itself any more; backups alone end first, since they wait for what does.
  open.defer(() => stopWork(core));
  const { backups } = add(backupModule(core, { ...options, identity }));
  add(placesModule(core, { places, onChange: redirects.settingsChanged }));
  add(instanceModule(core, { identity, redirects, version, otherRoutes: [...routes] }));

  const { authenticate } = identity;
  const answerer = httpModule(core, { ...options, routes, authenticate, limits, redirects, domains });
  const handle = answerer(sharing.guard.own);
  sharing.answerWith({ secure: handle, insecure: answerer(sharing.guard.shared) });

  return {
    handle,
    noteArrival: core.arrivals.note,
    isFresh: identity.sessions.isFresh,
    createAdministrator: identity.createAdministrator,
    settings: core.settings.current,
    services: { userAdmin: identity.userAdmin, imports: links.imports, ...identity.keyCommands },
    answerPublic: redirects.handle,
    lostClicks: redirects.lostClicks,
    reloadSettings: core.settings.reload,
    drain: live.closeAll,
    certificateFor: certificates.contextFor,
    certificates,
    runBackupSchedule: () => backups.runSchedule(AbortSignal.any([])),
    startJobs() {
      core.jobs.start();
      // The own certificate and the network do not wait for the first run of their jobs.
      void certificates.own.sync();
      void sharing.sync();
      fleet.start();
    },
    close: () => open.disposeAsync(),
  };
}
