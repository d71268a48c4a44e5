import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { LocalAuthority } from './local-authority.ts';
import {
  type CertificatePair,
  checkPair,
  coversExactly,
  endOf,
  joinPair,
  renewBefore,
  splitPair,
} from './pair.ts';
import type { KeyStore } from './store.ts';

/** A certificate by the local authority that serves some of the instance's own names. */
export interface LocalCertificate {
  /** Host names and addresses that it is for. */
  names: readonly string[];
  pair: CertificatePair;
  context: SecureContext;
  /** Wall-clock milliseconds. */
  expiresAt: number;
  /** SHA-256 of the certificate and of the root above it, as browsers show them: `AB:CD:…`. */
  fingerprint: string;
  rootFingerprint: string;
}

interface Options {
  store: KeyStore;
  authority: LocalAuthority;
  now: () => number;
}

/**
 * Stores one certificate for a set of names in a file. The returned function reuses it while it has exactly these
 * names, is signed by the current root, and is valid for 30 more days; otherwise it creates another one.
 */
export function localCertificate({ store, authority, now }: Options, file: string) {
  return async (names: readonly string[]): Promise<LocalCertificate> => {
    const root = new X509Certificate(await authority.root());
    const kept = splitPair(store.read(file) ?? '');
    if (kept && isFit(kept, names, root)) return presented(kept, names, root);
    const made = await authority.obtain(names);
    store.write(file, joinPair(made));
    return presented(made, names, root);
  };

  function isFit(pair: CertificatePair, names: readonly string[], root: X509Certificate): boolean {
    try {
      for (const name of names) checkPair(pair, name);
      const certificate = new X509Certificate(pair.chain);
      return (
        coversExactly(certificate, names) &&
        certificate.verify(root.publicKey) &&
        endOf(pair.chain) - renewBefore > now()
      );
    } catch {
      // Not for these names, or not a pair: another one is created.
      return false;
    }
  }
}

function presented(made: CertificatePair, names: readonly string[], root: X509Certificate): LocalCertificate {
  // With its root, so that another desktop can show it before trusting it.
  const pair = { key: made.key, chain: `${made.chain.trim()}\n${root.toString().trim()}\n` };
  return {
    names,
    pair,
    context: createSecureContext({ key: pair.key, cert: pair.chain, minVersion: 'TLSv1.2' }),
    expiresAt: endOf(pair.chain),
    fingerprint: new X509Certificate(pair.chain).fingerprint256,
    rootFingerprint: root.fingerprint256,
  };
}
