import type { Logger } from 'pino';
import type { SharingState } from '../../contract/sharing.ts';
import type { Listening } from '../../platform/http/listen.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Discovery } from './discovery.ts';
import { insecureListeners } from './listeners.ts';
import { certifiableNames, hostOf, isCovered } from './network-addresses.ts';
import { type SecureListenersOptions, secureListeners } from './secure-listeners.ts';

/** How long the network interfaces are cached. Milliseconds. */
const lookLasts = 5_000;
const graceMs = 2_000;

export interface SharingOptions {
  isOn: () => boolean;
  isFixed: () => boolean;
  /** Whether an administrator agreed that keys and passwords travel without encryption. */
  allowsInsecure: () => boolean;
  /** Addresses of this machine that others can use. */
  addresses: () => readonly string[];
  /** The machine's name, without a domain. */
  hostName: string;
  port: () => number;
  /** Addresses that are listened on whether it is shared or not. */
  bound: () => readonly string[];
  /** Listens on one more address, on the same port as the others. Throws when that cannot be. */
  listenOn: (address: string) => Promise<Listening>;
  secure: Pick<SecureListenersOptions, 'certify' | 'given' | 'keepPort' | 'keptPort' | 'listenOn'>;
  discovery: Discovery | undefined;
  /** Names this instance where others look for it. */
  instanceName: () => string;
  monotonic: () => number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Makes the instance available in the network exactly while the setting is on: listeners for HTTP and HTTPS on each of
 * the machine's addresses, which follow its networks (decision 0035).
 */
export function sharing(options: SharingOptions) {
  const { isOn, port, discovery, monotonic, log } = options;
  const localName = options.hostName.toLowerCase();
  const insecure = insecureListeners({ listenOn: options.listenOn, graceMs, log });
  const secure = secureListeners({ ...options.secure, covers: isCovered, monotonic, graceMs, log });
  let seen: { addresses: readonly string[]; at: number } | undefined;
  /** One change at a time: two would open the same address twice. */
  let changing: Promise<void> = Promise.resolve();
  let isStopped = false;

  function addresses(): readonly string[] {
    const now = monotonic();
    if (!seen || now - seen.at > lookLasts) seen = { addresses: options.addresses(), at: now };
    return seen.addresses;
  }

  const isBoundAnyway = (address: string) => isCovered(options.bound(), address);

  async function change(): Promise<void> {
    const isShared = isOn() && !isStopped;
    seen = undefined;
    const wanted = isShared ? addresses() : [];
    await insecure.become(wanted.filter((address) => !isBoundAnyway(address)));
    await secure.become(wanted, [...wanted, ...certifiableNames(localName)]);
    if (isShared) announce();
    else discovery?.withdraw();
  }

  function announce(): void {
    const httpsPort = secure.port();
    const fingerprint = secure.fingerprint();
    discovery?.announce({
      name: options.instanceName(),
      port: port(),
      host: `${localName}.local`,
      https: httpsPort !== undefined && fingerprint !== null ? { port: httpsPort, fingerprint } : undefined,
    });
  }

  function sync(): Promise<void> {
    changing = changing.then(change, change);
    return changing;
  }

  /** The addresses that `answers` is true of, with the machine's name behind them, and how URLs write them. */
  function hostsThat(answers: (address: string) => boolean): { address: string; host: string }[] {
    const reachable = addresses().filter(answers);
    const named = reachable.length > 0 ? [`${localName}.local`] : [];
    return [...reachable, ...named].map((address) => ({ address, host: hostOf(address) }));
  }

  function state(): SharingState {
    const isShared = isOn();
    const hosts = isShared ? hostsThat((address) => insecure.has(address) || isBoundAnyway(address)) : [];
    const secured = isShared ? hostsThat(secure.serves) : [];
    const httpsPort = secure.port();
    return {
      sharing: isShared,
      fixed: options.isFixed(),
      name: options.hostName,
      addresses: hosts.map(({ address, host }) => ({ address, url: `http://${host}:${port()}` })),
      https:
        secured.length > 0 && httpsPort !== undefined
          ? {
              urls: secured.map(({ host }) => `https://${host}:${httpsPort}`),
              fingerprint: secure.fingerprint(),
            }
          : null,
      httpsProblem: isShared ? secure.problem() : null,
      plain: options.allowsInsecure(),
      problem: insecure.problem(),
    };
  }

  return {
    /** Names and addresses that are ours in the network, as Host headers write them. */
    names: (): readonly string[] =>
      isOn() ? [...addresses().map(hostOf), localName, `${localName}.local`] : [],

    /** The HTTPS port in the network; undefined if there is none. */
    httpsPort: (): number | undefined => (isOn() ? secure.port() : undefined),

    addresses,

    /**
     * Where other machines open the admin pages: over HTTPS, or without where that was agreed to; undefined elsewhere.
     */
    origin(): string | undefined {
      const { https, addresses: insecureAddresses, plain: isAgreed } = state();
      return https?.urls[0] ?? (isAgreed ? insecureAddresses[0]?.url : undefined);
    },

    /** Opens and closes what the setting and the machine's networks ask for. */
    sync,

    /** Resolves when nothing is being opened or closed. */
    settled: (): Promise<void> => changing,

    job: { name: 'sharing', intervalMs: () => 15_000, firstMs: 0, run: sync } satisfies Job,

    state,

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
