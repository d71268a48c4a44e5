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

/** The known instances, their keys, and the clients that talk to them. */
export interface Connections {
  readonly instances: Instances;
  readonly secrets: Secrets;
  readonly certificates: Pins;
  readonly leave: LeaveInstance;
  readonly requests: ApiRequests;
  readonly uploads: Uploads;
  readonly events: LiveEvents;
  readonly fetchers: { readonly local: Fetcher; readonly remote: Fetcher };
  /** Chromium's network stack, for servers that are not instances. */
  readonly system: Fetcher;
  /** This computer's name in the account's list of sessions. */
  readonly device: string;
}

interface ConnectionsOptions {
  files: AppFiles;
  server: ServerProcess;
  platform: NodeJS.Platform;
  now: () => number;
}

/** Creates the clients that talk to instances. */
export function connections({ files, server, platform, now }: ConnectionsOptions): Connections {
  const { log } = files;
  const secrets = secretStore({ keyStore: safeStorage, platform, file: files.keys, log });
  const instances = knownInstances({ file: files.instances, secrets, server, onNotWritten: log.note });
  const system = chromiumFetcher(net.request);
  // The local server is reached through Node's fetch, which has no proxy, cache or cookie jar. Remote servers go
  // through Chromium, which uses the system's proxies and trusted certificates. Servers with a user-accepted
  // certificate use Node again, because nothing else may be trusted there.
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
