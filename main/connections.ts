import { hostname } from 'node:os';
import { net, safeStorage } from 'electron';
import { type Instances, knownInstances } from './instances/instances.ts';
import { tokenKeeper } from './instances/keep-token.ts';
import { type LeaveInstance, leaveInstance } from './instances/leave-instance.ts';
import { type Pins, pins, remoteFetcher, remoteSender } from './instances/pins.ts';
import { signInAt } from './instances/sign-in.ts';
import { type ApiRequests, apiRequests } from './requests/api-request.ts';
import { chromiumFetcher, chromiumSender } from './requests/chromium-fetch.ts';
import type { Fetcher } from './requests/fetcher.ts';
import { type LiveEvents, liveEvents } from './requests/live-events.ts';
import { fetchSender } from './requests/stream-senders.ts';
import { type Uploads, uploads } from './requests/uploads.ts';
import type { ServerProcess } from './server/server-process.ts';
import type { AppFiles } from './storage/app-files.ts';
import { type Secrets, secretStore } from './storage/secrets.ts';

/** The instances, their keys, and every way in which the app talks to them. */
export interface Connections {
  readonly instances: Instances;
  readonly secrets: Secrets;
  readonly certificates: Pins;
  readonly leave: LeaveInstance;
  readonly requests: ApiRequests;
  readonly uploads: Uploads;
  readonly events: LiveEvents;
  readonly fetchers: { readonly local: Fetcher; readonly remote: Fetcher };
  /** Chromium's own way, for servers that are no instances. */
  readonly system: Fetcher;
  /** What this computer is called where somebody signs in from it. */
  readonly device: string;
}

interface ConnectionsOptions {
  files: AppFiles;
  server: ServerProcess;
  platform: NodeJS.Platform;
  now: () => number;
}

/** Puts together what talks to instances. */
export function connections({ files, server, platform, now }: ConnectionsOptions): Connections {
  const { log } = files;
  const secrets = secretStore({ keyStore: safeStorage, platform, file: files.keys, log });
  const instances = knownInstances({ file: files.instances, secrets, server, onNotWritten: log.note });
  const system = chromiumFetcher(net.request);
  // Node's fetch for our own server: no proxy, cache or cookie jar can come between. Chromium's for others: it
  // knows the system's proxies and the certificates that the system trusts. Node's again where a person accepted a
  // certificate themselves, because there nothing else may be trusted.
  const fetchers = { local: fetch, remote: remoteFetcher(instances.pinOf, system) };
  const senders = {
    local: fetchSender(fetch),
    remote: remoteSender(instances.pinOf, chromiumSender(net.request)),
  };
  const device = `Waypost on ${hostname()}`.slice(0, 120);
  const keepToken = tokenKeeper({ secrets, instances, signIn: signInAt(fetchers, device), log });
  return {
    instances,
    secrets,
    certificates: pins(instances, now),
    leave: leaveInstance({ instances, secrets, system, log }),
    requests: apiRequests({ instances, secrets, fetchers, keepToken }),
    uploads: uploads({ instances, secrets, senders }),
    events: liveEvents({ instances, secrets, fetchers }),
    fetchers,
    system,
    device,
  };
}
