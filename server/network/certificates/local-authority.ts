import { isIP } from 'node:net';
import type { X509Certificate } from '@peculiar/x509';
import { checkPair, endOf, joinPair, type Obtained, splitPair } from './pair.ts';
import type { KeyStore } from './store.ts';

interface Options {
  store: KeyStore;
  now: () => number;
  randomBytes: (size: number) => Buffer;
}

export interface LocalAuthority {
  /** A certificate for host names and addresses. */
  obtain(names: readonly string[]): Promise<Obtained>;
  /** The root certificate that devices must trust, PEM; created if there is none. */
  root(): Promise<string>;
}

/** Web Crypto's key by whichever name the environment's types have for it. */
type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const day = 86_400_000;
const rootName = 'local-authority.pem';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Loaded with the first certificate: most instances need none. */
const library = async () => {
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(crypto);
  return x509;
};

/**
 * An authority of our own for names that no public one certifies, such as those of a home network. Its key stays on
 * this machine; browsers trust it once its root was installed on them.
 */
export function localAuthority({ store, now, randomBytes }: Options): LocalAuthority {
  function serialNumber(): string {
    const bytes = randomBytes(16);
    // A positive number, as RFC 5280 (section 4.1.2.2) wants.
    bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
    return bytes.toString('hex');
  }

  async function openRoot(): Promise<{ certificate: X509Certificate; key: PrivateKey }> {
    const pair = splitPair(store.read(rootName) ?? '');
    if (!pair || endOf(pair.chain) <= now()) return makeRoot();
    const x509 = await library();
    const der = x509.PemConverter.decodeFirst(pair.key);
    const key = await crypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
    return { certificate: new x509.X509Certificate(pair.chain), key };
  }

  async function makeRoot(): Promise<{ certificate: X509Certificate; key: PrivateKey }> {
    const x509 = await library();
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: serialNumber(),
      name: `CN=Waypost local authority ${randomBytes(3).toString('hex')}`,
      notBefore: new Date(now() - day),
      notAfter: new Date(now() + 3650 * day),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    store.write(
      rootName,
      joinPair({ key: await pemOf(keys.privateKey), chain: certificate.toString('pem') }),
    );
    return { certificate, key: keys.privateKey };
  }

  return {
    async obtain(names) {
      const x509 = await library();
      const root = await openRoot();
      const keys = await makeKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: '',
        issuer: root.certificate.subject,
        notBefore: new Date(now() - day),
        // Apple's systems refuse certificates of servers that are valid for longer than 825 days.
        notAfter: new Date(now() + 397 * day),
        publicKey: keys.publicKey,
        signingKey: root.key,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          // Critical, because the subject is empty (RFC 5280, section 4.2.1.6).
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
            true,
          ),
          await x509.AuthorityKeyIdentifierExtension.create(root.certificate),
        ],
      });
      const pair = { key: await pemOf(keys.privateKey), chain: certificate.toString('pem') };
      for (const name of names) checkPair(pair, name);
      return { ...pair, expiresAt: endOf(pair.chain), url: null };
    },
    root: async () => (await openRoot()).certificate.toString('pem'),
  };
}

function makeKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'] as const);
}

async function pemOf(key: PrivateKey): Promise<string> {
  const x509 = await library();
  const der = await crypto.subtle.exportKey('pkcs8', key);
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}
