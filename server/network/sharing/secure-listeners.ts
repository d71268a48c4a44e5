import type { Logger } from 'pino';
import type { HttpsProblem } from '../../contract/sharing.ts';
import { type Listening, PortTaken } from '../../platform/http/listen.ts';

/** The first port that is tried, and how many are. */
const firstPort = 8443;
const portsToTry = 20;
/** For how long a certificate is believed to be the right one. Milliseconds. */
const certificateLasts = 3_600_000;

export interface SecureListenersOptions {
  /** A port that HTTPS has anyway, and the addresses that it is listened on there. */
  given: () => { port: number; addresses: readonly string[] } | undefined;
  /** The port used before; null if there was none. */
  keptPort: () => number | null;
  keepPort: (port: number) => void;
  listenOn: (address: string, port: number) => Promise<Listening>;
  /**
   * Has a certificate served for these names and addresses. Returns the fingerprint of the root that it goes back to.
   */
  certify: (names: readonly string[]) => Promise<string>;
  /** Whether an address is listened on already where others are. */
  covers: (listened: readonly string[], address: string) => boolean;
  monotonic: () => number;
  graceMs: number;
  log: Pick<Logger, 'warn'>;
}

/** HTTPS on network addresses, on one port for all that stays the same: other desktops and bookmarks use it. */
export function secureListeners(options: SecureListenersOptions) {
  const { given, log } = options;
  const open = new Map<string, Listening>();
  let port: number | undefined;
  let certified: { names: string; at: number; fingerprint: string } | undefined;
  let problem: HttpsProblem | null = null;

  async function close(addresses: Iterable<string>): Promise<void> {
    for (const address of [...addresses]) {
      const listening = open.get(address);
      open.delete(address);
      await listening?.stop(options.graceMs);
    }
  }

  async function certify(names: readonly string[]): Promise<void> {
    const key = names.join();
    const now = options.monotonic();
    if (certified?.names === key && now - certified.at < certificateLasts) return;
    certified = { names: key, at: now, fingerprint: await options.certify(names) };
  }

  /** Opens missing listeners on one port. Throws PortTaken with everything unchanged. */
  async function openAt(wantedPort: number, addresses: readonly string[]): Promise<void> {
    const opened: string[] = [];
    try {
      for (const address of addresses) {
        open.set(address, await options.listenOn(address, wantedPort));
        opened.push(address);
      }
    } catch (error) {
      await close(opened);
      throw error;
    }
  }

  /** Opens missing listeners: on the previous port if there is one, else on the first one free on all addresses. */
  async function openAll(addresses: readonly string[]): Promise<void> {
    const fixed = given()?.port ?? options.keptPort() ?? port;
    if (port !== fixed) await close(open.keys());
    const missing = addresses.filter((address) => !open.has(address));
    const last = fixed ?? firstPort + portsToTry - 1;
    for (let candidate = fixed ?? firstPort; ; candidate += 1) {
      try {
        await openAt(candidate, missing);
        port = candidate;
        break;
      } catch (error) {
        if (!(error instanceof PortTaken) || candidate === last) throw error;
      }
    }
    if (!given() && options.keptPort() === null) options.keepPort(port);
  }

  return {
    /** Opens and closes until HTTPS is on just these addresses, with a certificate for these names. */
    async become(addresses: readonly string[], names: readonly string[]): Promise<void> {
      problem = null;
      const already = given()?.addresses ?? [];
      const wanted = addresses.filter((address) => !options.covers(already, address));
      await close([...open.keys()].filter((address) => !wanted.includes(address)));
      if (addresses.length === 0) {
        port = undefined;
        certified = undefined;
        return;
      }
      try {
        await certify(names);
      } catch (err) {
        await close(open.keys());
        certified = undefined;
        problem = { code: 'certificate', message: 'The certificate for this network could not be created.' };
        log.warn({ err }, 'no certificate for the network');
        return;
      }
      try {
        await openAll(wanted);
      } catch (err) {
        problem =
          err instanceof PortTaken
            ? { code: 'port_taken', message: `Port ${err.port} is in use by another program.` }
            : { code: 'network', message: err instanceof Error ? err.message : String(err) };
        log.warn({ err }, 'HTTPS on the network is not available');
      }
    },

    port: (): number | undefined => (open.size > 0 ? port : given()?.port),

    /** Whether an address answers over HTTPS with a certificate for it. */
    serves: (address: string): boolean =>
      certified !== undefined && (open.has(address) || options.covers(given()?.addresses ?? [], address)),

    fingerprint: (): string | null => certified?.fingerprint ?? null,
    problem: (): HttpsProblem | null => problem,
  };
}
