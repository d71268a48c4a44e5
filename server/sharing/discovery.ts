import Bonjour, { type Service } from 'bonjour-service';
import type { NearbyInstance } from '../contract/sharing.ts';

/** How long is listened for answers. Milliseconds. */
const listensFor = 2_000;
const serviceType = 'waypost';
/** A network can be full of strangers; nobody chooses among more. */
const mostFound = 50;

export interface Announcement {
  name: string;
  port: number;
  /** The machine's name in the network, with `.local`. */
  host: string;
  /** The port of HTTPS, and the SHA-256 of the root that its certificate goes back to (`AB:CD:…`). */
  https: { port: number; fingerprint: string } | undefined;
}

/** Telling of oneself in the network, and hearing of others (multicast DNS, RFC 6762 and 6763). */
export interface Discovery {
  /** Tells of this instance until it is withdrawn; the same again changes nothing. */
  announce(announcement: Announcement): void;
  withdraw(): void;
  find(): Promise<NearbyInstance[]>;
  end(): Promise<void>;
}

/** `interfaceAddress` limits it to one interface; tests use the loopback one. Errors of the network are told `onError`. */
export function mdnsDiscovery(onError: (error: Error) => void, interfaceAddress?: string): Discovery {
  // The library hands its options on to multicast-dns, whose `interface` its types leave out.
  const options = interfaceAddress === undefined ? {} : ({ interface: interfaceAddress } as object);
  let bonjour: Bonjour | undefined;
  let service: Service | undefined;
  let told = '';
  // Nothing is sent or listened to before somebody asks for it.
  const opened = () => (bonjour ??= new Bonjour(options, onError));

  function withdraw(): void {
    told = '';
    service?.stop?.();
    service = undefined;
  }

  return {
    announce({ name, port, host, https }) {
      const txt = https
        ? { https: String(https.port), sha256: https.fingerprint.replaceAll(':', '').toLowerCase() }
        : {};
      const next = JSON.stringify([name, port, host, txt]);
      if (told === next) return;
      withdraw();
      told = next;
      service = opened().publish({ name, type: serviceType, port, host, probe: false, txt });
    },
    withdraw,
    async find() {
      const found = new Map<string, NearbyInstance>();
      const browser = opened().find({ type: serviceType }, (other) => {
        const url = addressOf('http', other, other.port);
        const isOwn = told !== '' && other.name === service?.name && other.port === service?.port;
        if (url && !isOwn && found.size < mostFound) {
          found.set(url, { name: plainName(other.name), url, ...hintsOf(other) });
        }
      });
      await new Promise((resolve) => setTimeout(resolve, listensFor));
      browser.stop();
      return [...found.values()];
    },
    async end() {
      const closing = bonjour;
      bonjour = undefined;
      withdraw();
      if (closing)
        await new Promise<void>((resolve) => closing.unpublishAll(() => closing.destroy(() => resolve())));
    },
  };
}

/** Where the other instance says it is: by its IPv4 address, which needs no name to be looked up. */
function addressOf(scheme: 'http' | 'https', { addresses = [] }: Service, port: number): string | undefined {
  const address = addresses.find((each) => /^\d{1,3}(\.\d{1,3}){3}$/.test(each));
  if (address === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const url = `${scheme}://${address}:${port}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** What its TXT record says of HTTPS. Anybody in the network can say anything there. */
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
