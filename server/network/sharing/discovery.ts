import { isIPv4 } from 'node:net';
import Bonjour, { type Service } from 'bonjour-service';
import type { NearbyInstance } from '../../contract/sharing.ts';

/** How long is listened for answers. Milliseconds. */
const listensFor = 2_000;
const serviceType = 'waypost';
/** A network can be full of strangers; nobody chooses among more. */
const mostFound = 50;

interface Announcement {
  name: string;
  port: number;
  /** The machine's name in the network, with `.local`. */
  host: string;
  /** The port of HTTPS, and the SHA-256 of the root that its certificate goes back to (`AB:CD:…`). */
  https: { port: number; fingerprint: string } | undefined;
}

/** Telling of oneself in the network, and hearing of others (multicast DNS, RFC 6762 and 6763). */
export interface Discovery {
  /** Announces this instance until it is withdrawn; idempotent. */
  announce(announcement: Announcement): void;
  withdraw(): void;
  find(): Promise<NearbyInstance[]>;
  end(): Promise<void>;
}

interface Options {
  /** The machine's own IPv4 addresses, one for each network to be in; tests use the loopback one. */
  addresses: () => readonly string[];
  /** Called with network errors. */
  onError: (error: Error) => void;
}

/**
 * Uses a separate socket per network of the machine: a single one would only send to the network of the default route.
 */
export function mdnsDiscovery({ addresses, onError }: Options): Discovery {
  const responders = new Map<string, Bonjour>();
  let told: { name: string; port: number; key: string } | undefined;
  let closing: Promise<unknown> = Promise.resolve();

  /** One per current network. Nothing is sent or received before it is needed. */
  function open(): Bonjour[] {
    const wanted = addresses();
    close((address) => !wanted.includes(address));
    for (const address of wanted) {
      // The library hands its options on to multicast-dns, which its types leave out. A socket that is bound to the
      // address of an interface would hear nothing that is sent to the group.
      const options = { interface: address, bind: '0.0.0.0' } as object;
      if (!responders.has(address)) responders.set(address, new Bonjour(options, onError));
    }
    return [...responders.values()];
  }

  /** Withdraws announcements there, and stops listening. */
  function close(isMeant: (address: string) => boolean): void {
    for (const [address, responder] of responders) {
      if (!isMeant(address)) continue;
      responders.delete(address);
      const closed = new Promise<void>((resolve) => {
        responder.unpublishAll(() => responder.destroy(() => resolve()));
      });
      closing = Promise.all([closing, closed]);
    }
  }

  function withdraw(): void {
    told = undefined;
    close(() => true);
  }

  return {
    announce({ name, port, host, https }) {
      const txt = https
        ? { https: String(https.port), sha256: https.fingerprint.replaceAll(':', '').toLowerCase() }
        : {};
      const key = JSON.stringify([name, port, host, txt, addresses()]);
      if (told?.key === key) return;
      withdraw();
      told = { name, port, key };
      for (const responder of open())
        responder.publish({ name, type: serviceType, port, host, probe: false, txt });
    },
    withdraw,
    async find() {
      const found = new Map<string, NearbyInstance>();
      const browsers = open().map((responder) =>
        responder.find({ type: serviceType }, (other) => {
          const { name, host, port } = other;
          const url = addressOf('http', other, port);
          const isOwn = name === told?.name && port === told.port;
          // The same instance may be heard in several networks.
          const key = JSON.stringify([name, host, port]);
          if (!url || isOwn || found.has(key) || found.size >= mostFound) return;
          found.set(key, { name: plainName(name), url, ...hintsOf(other) });
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, listensFor));
      for (const browser of browsers) browser.stop();
      return [...found.values()];
    },
    async end() {
      withdraw();
      await closing;
    },
  };
}

/**
 * The other instance's URL: by IPv4 address, which needs no name resolution. Of several, the one that it answered
 * from, because that is reachable.
 */
function addressOf(scheme: 'http' | 'https', other: Service, port: number): string | undefined {
  const addresses = (other.addresses ?? []).filter((each) => isIPv4(each));
  const address = addresses.find((each) => each === other.referer?.address) ?? addresses[0];
  if (address === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return `${scheme}://${address}:${port}`;
}

/** The HTTPS data of its TXT record. It is untrusted: anyone in the network can send it. */
function hintsOf(other: Service): Pick<NearbyInstance, 'secureUrl' | 'fingerprint'> {
  const { https, sha256 } = (other.txt ?? {}) as Record<string, unknown>;
  const secureUrl = /^\d{1,5}$/.test(String(https)) ? addressOf('https', other, Number(https)) : undefined;
  const isDigest = secureUrl !== undefined && /^[0-9a-f]{64}$/i.test(String(sha256));
  return {
    secureUrl: secureUrl ?? null,
    fingerprint: isDigest ? (String(sha256).toUpperCase().match(/../g)?.join(':') ?? null) : null,
  };
}

/** Without control characters, and no longer than a name is. */
function plainName(name: string): string {
  return name.replace(/\p{C}/gu, '').slice(0, 100);
}
