import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Settings } from '../../contract/settings.ts';
import type { Listening } from '../../platform/http/listen.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { insecureGuard } from './insecure-guard.ts';
import { sharingRoutes } from './routes.ts';
import { type Sharing, type SharingOptions, sharing } from './sharing.ts';

/** What sharing on the network needs of the machine. */
export interface Network extends Pick<SharingOptions, 'addresses' | 'bound' | 'discovery' | 'hostName'> {
  listenOn: (address: string, handler: RequestListener) => Promise<Listening>;
  /** Addresses that the configured port of HTTPS is listened on. */
  securelyBound: () => readonly string[];
  /** Listens for HTTPS with the certificate of the network. Throws PortTaken. */
  listenSecurelyOn: (address: string, port: number, handler: RequestListener) => Promise<Listening>;
}

interface Options extends Pick<SharingOptions, 'isFixed' | 'port' | 'monotonic'> {
  /** Undefined where nothing can be shared. */
  network: Network | undefined;
  settings: () => Pick<Settings, 'plainSharing' | 'sharing' | 'sharingPort'>;
  keepPort: (port: number) => void;
  handle: RequestListener;
  /** What answers without encryption. */
  handlePlain: RequestListener;
  /** The configured port of HTTPS; undefined while there is none. */
  httpsPort: () => number | undefined;
  certificates: () => Pick<Certificates, 'forNetworkNames' | 'mode'>;
  rateHeadersOf: (request: IncomingMessage) => Record<string, string>;
  log: Logger;
}

export interface SharingModules extends Pick<Sharing, 'httpsPort' | 'names' | 'stop' | 'sync'> {
  /** Looks for networks that came and went; empty where nothing can be shared. */
  jobs: Job[];
  routes: Route[];
  /** Keeps keys out of what travels without encryption. */
  guard: ReturnType<typeof insecureGuard>;
}

/** Wires sharing in the local network. */
export function sharingModules(options: Options): SharingModules {
  const {
    network,
    settings,
    handle,
    handlePlain,
    httpsPort,
    certificates,
    keepPort,
    rateHeadersOf,
    ...rest
  } = options;
  function networkOfMachine(): Network {
    if (!network) throw new Error('This server knows of no network.');
    return network;
  }
  const lan = sharing({
    ...rest,
    isOn: () => network !== undefined && settings().sharing,
    allowsPlain: () => settings().plainSharing,
    addresses: network?.addresses ?? (() => []),
    hostName: network?.hostName ?? 'localhost',
    bound: network?.bound ?? (() => []),
    listenOn: async (address) => networkOfMachine().listenOn(address, handlePlain),
    secure: {
      given() {
        const port = httpsPort();
        // No public authority certifies addresses of a local network: HTTPS has a port of its own there then.
        if (port === undefined || certificates().mode() === 'acme') return undefined;
        return { port, addresses: network?.securelyBound() ?? [] };
      },
      keptPort: () => settings().sharingPort,
      keepPort,
      listenOn: async (address, port) => networkOfMachine().listenSecurelyOn(address, port, handle),
      certify: async (names) => (await certificates().forNetworkNames(names)).rootFingerprint,
    },
    discovery: network?.discovery,
    instanceName: () => `Waypost on ${network?.hostName ?? 'this computer'}`,
  });
  return {
    ...lan,
    jobs: network ? [lan.job] : [],
    routes: sharingRoutes({ sharing: lan }),
    guard: insecureGuard({
      allowsInsecure: () => settings().plainSharing,
      ownAddresses: lan.addresses,
      isSharedName: (name) => lan.names().includes(name),
      httpsPort: lan.httpsPort,
      rateHeadersOf,
    }),
  };
}
