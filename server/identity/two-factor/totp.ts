import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds of one time step (RFC 6238). */
const period = 30;

/** A new secret of 160 bits in base 32, as authenticators read it. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The address behind the QR code that an authenticator scans. */
export function otpauthUrl(secret: string, label: string): string {
  return generateURI({ issuer: 'Waypost', label, secret });
}

/**
 * The time step of a code: the current or the previous one, and later than the last accepted step. Otherwise undefined
 * (decision 0006). `now` in milliseconds.
 */
export function stepOfCode(
  secret: string,
  code: string,
  now: number,
  lastStep: number | null,
): number | undefined {
  const epoch = Math.floor(now / 1000);
  // The library rejects a last step beyond the current one, which occurs if the clock was set back.
  if (lastStep !== null && lastStep >= Math.floor(epoch / period)) return undefined;
  const verdict = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: [period, 0],
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  });
  return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : undefined;
}
