import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { acmeAuthority } from './acme.ts';
import { challenges, type SharedChallenges } from './challenges.ts';
import { localAuthority } from './local-authority.ts';
import { type LocalCertificate, localCertificate } from './local-certificate.ts';
import { ownCertificate } from './own-certificate.ts';
import { type CertificatePair, checkPair, endOf, joinPair, type Obtained, splitPair } from './pair.ts';
import type { SslMode } from './ssl-mode.ts';
import { keyStore } from './store.ts';

interface SslSettings {
  mode: SslMode;
  acmeDirectory: string;
  acmeEmail: string | null;
}

/** The orders of the last hour, which authorities limit. */
interface Orders {
  /** How many there were since a timestamp, and when the first was. */
  since(since: number, now: number): { count: number; first: number | null };
  /** The same for the domains of one account. */
  of(userId: number, since: number, now: number): { count: number; first: number | null };
  /** `userId` is null for platform domains and the own address. */
  add(now: number, forgetBefore: number, userId: number | null): void;
}

interface Options {
  /** Where keys and certificates are stored. */
  folder: string;
  settings: () => SslSettings;
  orders: Orders;
  /** Whether there is more than one account. */
  isShared: () => boolean;
  /** The domains there are, to find what the folder still has of others. */
  hosts: () => readonly { id: number; host: string; ssl_status: 0 | 1 }[];
  /** The instance's own names and addresses, the configured one first if there is one. */
  ownNames: () => { configured: string | undefined; all: readonly string[] };
  /** Milliseconds for a whole order of the authority. */
  orderMs?: number | undefined;
  /** Milliseconds to wait after some failures in a row. */
  backOff: (failures: number) => number;
  /** Called at startup if a domain's certificate is missing although the database has it. */
  onMissing: (id: number) => void;
  now: () => number;
  randomBytes: (size: number) => Buffer;
  log: Pick<Logger, 'warn'>;
}

type CertificateListener = (pair: CertificatePair | undefined) => void;

/** A certificate whose subscribers are notified immediately and after every change. */
function watched(read: () => CertificatePair | undefined) {
  const listeners = new Set<CertificateListener>();
  return {
    changed(): void {
      for (const tell of listeners) tell(read());
    },
    /** Returns what ends it. */
    follow(listener: CertificateListener): () => void {
      listeners.add(listener);
      listener(read());
      return () => void listeners.delete(listener);
    },
  };
}

const ordersAnHour = 5;
/** What one account gets of them for new domains while there are other accounts, so that some are left for these. */
const ordersOfAccount = 3;
const hour = 3_600_000;
const fileName = /^domain-([1-9]\d*)\.pem$/;

/**
 * Certificates of branded domains: obtains them with the configured mode, stores them, and provides them to the HTTPS
 * listener, which looks them up by name at each handshake, so that a new one is used immediately.
 */
export function certificates(options: Options) {
  const { settings, orders, now, randomBytes } = options;
  const store = keyStore(options.folder);
  let others: SharedChallenges | undefined;
  const pending = challenges(() => others);
  /** How often the certificates by name have changed. */
  let revision = 0;
  const acme = acmeAuthority({
    settings: () => ({ directory: settings().acmeDirectory, email: settings().acmeEmail }),
    store,
    challenges: pending,
    orderMs: options.orderMs,
  });
  const local = localAuthority({ store, now, randomBytes });
  const localOptions = { store, authority: local, now };
  const forNetwork = localCertificate(localOptions, 'network.pem');
  let network: LocalCertificate | undefined;
  const inNetwork = watched(() => network?.pair);
  const toAnybody = watched(() => own.pair() ?? network?.pair);
  const own = ownCertificate({
    mode: () => settings().mode,
    names: options.ownNames,
    store,
    order: (name) => orderFromAcme(name, null),
    opensAt,
    makeLocal: localCertificate(localOptions, 'own-local.pem'),
    backOff: options.backOff,
    onChange() {
      revision += 1;
      toAnybody.changed();
    },
    now,
    log: options.log,
  });
  const serving = new Map<
    string,
    { id: number; pair: CertificatePair; context: SecureContext; expiresAt: number }
  >();
  load();

  function load(): void {
    const known = new Map(options.hosts().map((row) => [row.id, row]));
    for (const name of store.list()) {
      const id = Number(fileName.exec(name)?.[1]);
      if (Number.isNaN(id)) continue;
      const row = known.get(id);
      const pair = row && splitPair(store.read(name) ?? '');
      try {
        if (!row || !pair) throw new Error('it belongs to no domain');
        checkPair(pair, row.host);
        serve(id, row.host, { ...pair, expiresAt: endOf(pair.chain) });
      } catch (error) {
        options.log.warn({ err: error, file: name }, 'a stored certificate was discarded');
        store.remove(name);
      }
    }
    const keptHere = ['local', 'acme'].includes(settings().mode);
    for (const { id, host, ssl_status } of known.values()) {
      if (keptHere && ssl_status === 1 && !serving.has(host)) options.onMissing(id);
    }
  }

  function serve(id: number, host: string, pair: Omit<Obtained, 'url'>): void {
    const context = createSecureContext({ key: pair.key, cert: pair.chain, minVersion: 'TLSv1.2' });
    revision += 1;
    const { key, chain, expiresAt } = pair;
    serving.set(host, { id, pair: { key, chain }, context, expiresAt });
  }

  function isOurs(): boolean {
    const { mode } = settings();
    return mode === 'local' || mode === 'acme';
  }

  function opensAt(): number | undefined {
    if (settings().mode !== 'acme') return undefined;
    const { count, first } = orders.since(now() - hour, now());
    return count < ordersAnHour ? undefined : (first ?? now()) + hour;
  }

  /** When an account may have a certificate ordered for a new domain, if not now; renewals are not bounded by this. */
  function opensForAccount(userId: number): number | undefined {
    if (settings().mode !== 'acme' || !options.isShared()) return undefined;
    const { count, first } = orders.of(userId, now() - hour, now());
    return count < ordersOfAccount ? undefined : (first ?? now()) + hour;
  }

  async function orderFromAcme(host: string, userId: number | null): Promise<Obtained> {
    orders.add(now(), now() - hour, userId);
    return acme.obtain(host);
  }

  return {
    mode: (): SslMode => settings().mode,

    /** When the next order may be placed, if not now (T-23: at most 5 an hour). */
    opensAt,
    opensForAccount,

    /** The certificate of the instance's own address. */
    own,

    /**
     * A certificate for names and addresses of the local network from the local authority, whatever the configured
     * mode, used from now on. Created again if the names changed, or if it expires within 30 days: call it daily.
     */
    async forNetworkNames(names: readonly string[]): Promise<LocalCertificate> {
      network = await forNetwork(names);
      toAnybody.changed();
      inNetwork.changed();
      return network;
    },

    /** Calls back with the certificate of the local network, now and after every change, until it is ended. */
    onNetworkCertificate: inNetwork.follow,

    /**
     * Calls back with the certificate for clients that send no host name, now and after every change, until
     * unsubscribed.
     */
    onOwnCertificate: toAnybody.follow,

    /**
     * Gets a certificate for an account's domain from the authority that is set. Throws with a sentence for the owner.
     */
    async obtain(userId: number | null, host: string): Promise<Obtained> {
      return settings().mode === 'local' ? local.obtain([host]) : orderFromAcme(host, userId);
    },

    /** Keeps a certificate and serves it from now on. */
    install(id: number, host: string, obtained: Obtained): void {
      store.write(`domain-${id}.pem`, joinPair(obtained));
      serve(id, host, obtained);
    },

    /** Takes the certificate and key of a domain away. */
    drop(id: number): void {
      store.remove(`domain-${id}.pem`);
      for (const [host, entry] of serving) if (entry.id === id) serving.delete(host);
      revision += 1;
    },

    wasRevoked: (_id: number, url: string): Promise<boolean> => acme.wasRevoked(url),

    /** What the HTTPS listener presents for a name; undefined for names that it has nothing for. */
    contextFor(asked: string): SecureContext | undefined {
      const name = asked.toLowerCase();
      const certified = isOurs() ? (serving.get(name)?.context ?? own.contextFor(name)) : undefined;
      return certified ?? (network?.names.includes(name) ? network.context : undefined);
    },

    /** The certificates that are presented for hosts which other machines may answer, too. */
    served(): (CertificatePair & { host: string })[] {
      if (!isOurs()) return [];
      const served = [...serving].map(([host, { pair }]) => ({ host, ...pair }));
      const { configured } = options.ownNames();
      const pair = configured === undefined ? undefined : own.pairFor(configured);
      return configured !== undefined && pair ? [...served, { host: configured, ...pair }] : served;
    },

    /** A number that changes with every change of the certificates in use. */
    revision: (): number => revision,

    /** Has other machines answer what authorities ask for. */
    shareChallenges(shared: SharedChallenges): void {
      others = shared;
    },

    /** Whether HTTPS works for a host now, so that plain HTTP may send visitors there. */
    serves(host: string): boolean {
      if (serving.size === 0 || !isOurs()) return false;
      const entry = serving.get(host);
      return entry !== undefined && entry.expiresAt > now();
    },

    /** Answers what authorities and devices ask for over plain HTTP; false for all else. */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      if (pending.serve(request, response)) return true;
      if (request.url !== rootPath || request.method !== 'GET') return false;
      // Without this authority's certificates, its root is useless.
      if (settings().mode !== 'local' && !network) return false;
      void local.root().then(
        (pem) => {
          response.writeHead(200, {
            'Content-Type': 'application/x-x509-ca-cert',
            'Content-Disposition': 'attachment; filename="waypost-root.crt"',
            'X-Content-Type-Options': 'nosniff',
          });
          response.end(pem);
        },
        (error) => {
          options.log.warn({ err: error }, 'the local root certificate cannot be read');
          response.writeHead(503).end();
        },
      );
      return true;
    },
  };
}

/** Where devices get the root of the local authority; `ca` is reserved among aliases. */
const rootPath = '/ca/root.crt';

export type Certificates = ReturnType<typeof certificates>;
