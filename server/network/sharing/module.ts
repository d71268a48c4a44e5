import type { IncomingMessage, RequestListener } from 'node:http';
import type { Core } from '../../platform/core.ts';
import type { Listening } from '../../platform/http/listen.ts';
import type { Module } from '../../platform/module.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { insecureGuard } from './insecure-guard.ts';
import { sharingRoutes } from './routes.ts';
import { type SharingOptions, sharing } from './sharing.ts';

/** What sharing on the network needs of the machine. */
export interface Network extends Pick<SharingOptions, 'addresses' | 'bound' | 'discovery' | 'hostName'> {
  listenOn: (address: string, handler: RequestListener) => Promise<Listening>;
  /** Addresses that the configured port of HTTPS is listened on. */
  securelyBound: () => readonly string[];
  /** Listens for HTTPS with the certificate of the network. Throws PortTaken. */
  listenSecurelyOn: (address: string, port: number, handler: RequestListener) => Promise<Listening>;
}

interface Options {
  /** Undefined where nothing can be shared. */
  network: Network | undefined;
  certificates: Pick<Certificates, 'forNetworkNames' | 'mode'>;
  rateHeadersOf: (request: IncomingMessage) => Record<string, string>;
}

/** What answers requests that come by the network. */
interface NetworkHandlers {
  secure: RequestListener;
  /** Without encryption. */
  insecure: RequestListener;
}

export interface SharingModule extends Module {
  /** From then on the listeners follow the settings. */
  answerWith(handlers: NetworkHandlers): void;
  sync(): Promise<void>;
  /** Keeps keys out of what travels without encryption. */
  guard: ReturnType<typeof insecureGuard>;
}

/** Wires sharing in the local network. */
export function sharingModule(core: Core, { network, certificates, rateHeadersOf }: Options): SharingModule {
  const { hosts, log, ports, settings } = core;
  let handlers: NetworkHandlers | undefined;
  const isOn = () => network !== undefined && settings.current().sharing;
  const allowsInsecure = () => settings.current().plainSharing;
  function opened(): { network: Network; handlers: NetworkHandlers } {
    if (!network || !handlers) throw new Error('This server cannot be shared in a network yet.');
    return { network, handlers };
  }
  const lan = sharing({
    isOn,
    isFixed: () => settings.show().fixed.includes('sharing'),
    allowsInsecure,
    addresses: network?.addresses ?? (() => []),
    hostName: network?.hostName ?? 'localhost',
    port: ports.http,
    bound: network?.bound ?? (() => []),
    listenOn: async (address) => {
      const { network, handlers } = opened();
      return network.listenOn(address, handlers.insecure);
    },
    secure: {
      given() {
        const port = ports.https();
        // No public authority certifies local network addresses: HTTPS has its own port there.
        if (port === undefined || certificates.mode() === 'acme') return undefined;
        return { port, addresses: network?.securelyBound() ?? [] };
      },
      keptPort: () => settings.current().sharingPort,
      keepPort: (port) => void settings.change({ sharingPort: port }),
      listenOn: async (address, port) => {
        const { network, handlers } = opened();
        return network.listenSecurelyOn(address, port, handlers.secure);
      },
      certify: async (names) => (await certificates.forNetworkNames(names)).rootFingerprint,
    },
    discovery: network?.discovery,
    instanceName: () => `Waypost on ${network?.hostName ?? 'this computer'}`,
    monotonic: core.clock.monotonic,
    log,
  });
  hosts.add({ names: lan.names, httpsPort: lan.httpsPort, origin: lan.origin });
  return {
    routes: sharingRoutes({ sharing: lan }),
    // Looks for networks that came and went.
    jobs: network ? [lan.job] : [],
    close: lan.stop,
    answerWith(given) {
      handlers = given;
      settings.onChange((names) => {
        if (names.includes('sharing') || names.includes('sharingPort')) void lan.sync();
      });
    },
    sync: lan.sync,
    guard: insecureGuard({
      allowsInsecure,
      ownAddresses: lan.addresses,
      isSharedName: (name) => lan.names().includes(name),
      httpsPort: lan.httpsPort,
      rateHeadersOf,
    }),
  };
}
