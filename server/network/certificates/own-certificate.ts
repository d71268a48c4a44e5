import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import type { Authority } from './acme.ts';
import type { LocalCertificate } from './local-certificate.ts';
import { type CertificatePair, checkPair, endOf, joinPair, renewBefore, splitPair } from './pair.ts';
import type { SslMode } from './ssl-mode.ts';
import type { KeyStore } from './store.ts';

/** The state of the instance's own certificate, for administrators. */
export interface OwnCertificateState {
  names: readonly string[];
  /** Wall-clock milliseconds; null while there is none. */
  expiresAt: number | null;
  /** When the next attempt is made after a failure, and its reason. */
  nextAt: number | null;
  message: string | null;
  /** SHA-256 of the root that devices have to trust; null with public authorities. */
  rootFingerprint: string | null;
}

interface Options {
  mode: () => SslMode;
  /** The instance's own names and addresses, the configured one first if there is one. */
  names: () => { configured: string | undefined; all: readonly string[] };
  store: KeyStore;
  /** A public certificate for one name; the caller counts orders. */
  order: (name: string) => ReturnType<Authority['obtain']>;
  /** When the next order may be placed, if not now. */
  opensAt: () => number | undefined;
  /** A certificate of the local authority for all names. */
  makeLocal: (names: readonly string[]) => Promise<LocalCertificate>;
  /** Milliseconds to wait after some failures in a row. */
  backOff: (failures: number) => number;
  /** Called after every change of the certificate in use. */
  onChange: () => void;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

interface Serving {
  mode: SslMode;
  names: readonly string[];
  pair: CertificatePair;
  context: SecureContext;
  expiresAt: number;
  rootFingerprint: string | null;
}

const file = 'own.pem';

/**
 * The certificate of the instance's own address, so that the admin pages are there over HTTPS, too: by ACME for the
 * name in `baseUrl` where it is a public one, by the local authority for all names and addresses that are ours.
 */
export function ownCertificate(options: Options) {
  const { mode, store, now } = options;
  let serving: Serving | undefined;
  let failed: { count: number; nextAt: number; message: string; names: string } | undefined;
  load();

  /** The names that a certificate is to be had for; none while certificates are not ours to keep. */
  function wanted(): readonly string[] {
    const { configured, all } = options.names();
    if (mode() === 'local') return all;
    return mode() === 'acme' && configured !== undefined && isPublicName(configured) ? [configured] : [];
  }

  function load(): void {
    const pair = splitPair(store.read(file) ?? '');
    const [name] = wanted();
    if (!pair || mode() !== 'acme' || name === undefined) return;
    try {
      checkPair(pair, name);
      serve([name], pair, null);
    } catch (error) {
      options.log.warn(
        { err: error, file },
        "the stored certificate for the instance's own address was discarded",
      );
      store.remove(file);
    }
  }

  function serve(names: readonly string[], pair: CertificatePair, rootFingerprint: string | null): void {
    const context = createSecureContext({ key: pair.key, cert: pair.chain, minVersion: 'TLSv1.2' });
    serving = { mode: mode(), names, pair, context, expiresAt: endOf(pair.chain), rootFingerprint };
  }

  /** The certificate in use; undefined if it is not for our current names. */
  function current(): Serving | undefined {
    return serving?.mode === mode() && serving.names.join() === wanted().join() ? serving : undefined;
  }

  async function renew(names: readonly string[]): Promise<void> {
    if (mode() === 'local') {
      const { pair, rootFingerprint } = await options.makeLocal(names);
      serve(names, pair, rootFingerprint);
      return;
    }
    const [name = ''] = names;
    const obtained = await options.order(name);
    store.write(file, joinPair(obtained));
    serve(names, obtained, null);
  }

  return {
    /** Obtains or renews the certificate if it is due. Never throws: `state` reports failures. */
    async sync(): Promise<void> {
      const names = wanted();
      const key = `${mode()} ${names.join()}`;
      if (names.length === 0) {
        failed = undefined;
        if (serving) {
          serving = undefined;
          options.onChange();
        }
        return;
      }
      const kept = current();
      // The local authority checks this itself: its root may have changed.
      if (mode() === 'acme' && kept && kept.expiresAt - renewBefore > now()) return;
      if (failed?.names === key && failed.nextAt > now()) return;
      const opensAt = options.opensAt();
      if (opensAt !== undefined) return;
      try {
        await renew(names);
        failed = undefined;
        if (current()?.pair.chain !== kept?.pair.chain) options.onChange();
      } catch (error) {
        const count = (failed?.names === key ? failed.count : 0) + 1;
        const message = error instanceof Error ? error.message : String(error);
        failed = { count, nextAt: now() + options.backOff(count), message, names: key };
        options.log.warn({ err: error }, "no certificate for the instance's own address yet");
      }
    },

    /** What HTTPS presents for one of our own names; undefined for all others. */
    contextFor: (name: string): SecureContext | undefined => {
      const kept = current();
      return kept?.names.includes(name) ? kept.context : undefined;
    },

    /** The certificate for clients that send no host name: they use one of our IP addresses. */
    pair: (): CertificatePair | undefined => current()?.pair,

    /** The pair for one of our own names; undefined for all others. */
    pairFor(name: string): CertificatePair | undefined {
      const kept = current();
      return kept?.names.includes(name) ? kept.pair : undefined;
    },

    /** Whether HTTPS works for one of our own names now. */
    serves(name: string): boolean {
      const kept = current();
      return kept !== undefined && kept.expiresAt > now() && kept.names.includes(name);
    },

    /** Undefined while no certificate is to be had. */
    state(): OwnCertificateState | undefined {
      const names = wanted();
      if (names.length === 0) return undefined;
      const kept = current();
      return {
        names,
        expiresAt: kept?.expiresAt ?? null,
        nextAt: failed?.nextAt ?? null,
        message: failed?.message ?? null,
        rootFingerprint: kept?.rootFingerprint ?? null,
      };
    },
  };
}

export type OwnCertificate = ReturnType<typeof ownCertificate>;

/**
 * Top-level labels that no public authority certifies (RFC 6761, RFC 6762, RFC 8375, and those that home routers use).
 */
const privateEndings = [
  'localhost',
  'local',
  'internal',
  'lan',
  'home',
  'test',
  'example',
  'invalid',
  'onion',
  'arpa',
];

/** Whether a public authority may certify a name. */
function isPublicName(name: string): boolean {
  const labels = name.split('.');
  return labels.length >= 2 && isIP(name) === 0 && !privateEndings.includes(labels.at(-1) ?? '');
}
