import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

export interface MadeCertificate {
  key: string;
  certificate: string;
  /** In the format of browsers: `AB:CD:…`. */
  fingerprint: string;
}

interface Options {
  names: readonly string[];
  /** Wall-clock milliseconds; a year ahead when left out. */
  expires?: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A self-signed certificate, as on many devices. */
export async function selfSigned({
  names,
  expires = Date.now() + 365 * 86_400_000,
}: Options): Promise<MadeCertificate> {
  x509.cryptoProvider.set(crypto);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'] as const);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '42',
    name: 'CN=a device',
    notBefore: new Date(Math.min(Date.now(), expires) - 86_400_000),
    notAfter: new Date(expires),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', certificate.rawData));
  return {
    key,
    certificate: certificate.toString('pem'),
    fingerprint: digest.toString('hex').toUpperCase().match(/../g)?.join(':') ?? '',
  };
}
