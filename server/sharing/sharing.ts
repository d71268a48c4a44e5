import type { Logger } from 'pino';
import type { SharingState } from '../contract/sharing.ts';
import type { Listening } from '../http/listen.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Discovery } from './discovery.ts';
import { hostOf } from './network-addresses.ts';

/** For how long a look at the network's interfaces is believed. Milliseconds. */
const lookLasts = 5_000;
const graceMs = 2_000;

export interface SharingOptions {
  isOn: () => boolean;
  isFixed: () => boolean;
  /** Addresses of this machine that others can use. */
  addresses: () => readonly string[];
  /** What the machine is called, without a domain. */
  hostName: string;
  port: () => number;
  /** Addresses that are listened on whether it is shared or not. */
  bound: () => readonly string[];
  /** Listens on one more address, on the same port as the others. Throws when that cannot be. */
  listenOn: (address: string) => Promise<Listening>;
  /** What HTTPS has for our own names; undefined while it has nothing. */
  https: () => { port: number; names: readonly string[]; rootFingerprint: string | null } | undefined;
  discovery: Discovery | undefined;
  /** Names this instance where others look for it. */
  instanceName: () => string;
  monotonic: () => number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Opens the instance to other machines of the network while the setting says so, and not a moment longer: a listener on
 * each of the machine's addresses, which come and go with its networks (decisions, section 8).
 */
export function sharing(options: SharingOptions) {
  const { isOn, hostName, port, discovery } = options;
  const open = new Map<string, Listening>();
  let seen: { addresses: readonly string[]; at: number } | undefined;
  let problem: string | null = null;
  /** One change at a time: two would open the same address twice. */
  let changing: Promise<void> = Promise.resolve();
  let isStopped = false;

  function addresses(): readonly string[] {
    const now = options.monotonic();
    if (!seen || now - seen.at > lookLasts) seen = { addresses: options.addresses(), at: now };
    return seen.addresses;
  }

  const isBoundAnyway = (address: string) => {
    const bound = options.bound();
    return (
      bound.includes(address) ||
      bound.includes(address.includes(':') ? '::' : '0.0.0.0') ||
      bound.includes('::')
    );
  };

  async function change(): Promise<void> {
    const isShared = isOn() && !isStopped;
    seen = undefined;
    const wanted = isShared ? addresses().filter((address) => !isBoundAnyway(address)) : [];
    problem = null;
    for (const [address, listening] of open) {
      if (wanted.includes(address)) continue;
      open.delete(address);
      await listening.stop(graceMs);
    }
    for (const address of wanted) {
      if (open.has(address)) continue;
      try {
        open.set(address, await options.listenOn(address));
      } catch (err) {
        problem = err instanceof Error ? err.message : String(err);
        options.log.warn({ err, address }, 'an address of the network cannot be listened on');
      }
    }
    if (isShared)
      discovery?.announce({ name: options.instanceName(), port: port(), host: `${hostName}.local` });
    else discovery?.withdraw();
  }

  function sync(): Promise<void> {
    changing = changing.then(change, change);
    return changing;
  }

  return {
    /** Names and addresses that are ours in the network, as Host headers write them. */
    names: (): readonly string[] => {
      if (!isOn()) return [];
      const name = hostName.toLowerCase();
      return [...addresses().map(hostOf), name, `${name}.local`];
    },

    /** Opens and closes what the setting and the machine's networks ask for. */
    sync,

    job: { name: 'sharing', intervalMs: () => 15_000, firstMs: 0, run: sync } satisfies Job,

    state(): SharingState {
      const isShared = isOn();
      const reachable = isShared
        ? addresses().filter((address) => open.has(address) || isBoundAnyway(address))
        : [];
      const named = reachable.length > 0 ? [`${hostName.toLowerCase()}.local`] : [];
      const hosts = [
        ...reachable.map((address) => ({ address, host: hostOf(address) })),
        ...named.map((address) => ({ address, host: address })),
      ];
      const secure = options.https();
      const certified = hosts.filter(({ address }) => secure?.names.includes(address));
      return {
        sharing: isShared,
        fixed: options.isFixed(),
        name: hostName,
        addresses: hosts.map(({ address, host }) => ({ address, url: `http://${host}:${port()}` })),
        https:
          secure && certified.length > 0
            ? {
                urls: certified.map(({ host }) => `https://${host}:${secure.port}`),
                fingerprint: secure.rootFingerprint,
              }
            : null,
        problem,
      };
    },

    /** Other instances in the network; empty where nothing can be heard. */
    nearby: () => discovery?.find() ?? Promise.resolve([]),

    async stop(): Promise<void> {
      isStopped = true;
      await sync();
      await discovery?.end();
    },
  };
}

export type Sharing = ReturnType<typeof sharing>;
