import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds of one time step (RFC 6238). */
const period = 30;

/** Steps that the clock may be set back without accepting a code again: five minutes. */
const largestCorrection = 10;

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
 * (decision 0006). `now` in milliseconds. A last step far ahead of the clock does not count: it was accepted while the
 * clock was wrong, and would exclude every code until that time.
 */
export function stepOfCode(
  secret: string,
  code: string,
  now: number,
  lastStep: number | null,
): number | undefined {
  const epoch = Math.floor(now / 1000);
  const current = Math.floor(epoch / period);
  const isFarAhead = lastStep !== null && lastStep > current + largestCorrection;
  // The library rejects a last step beyond the current one, which occurs if the clock was set back.
  if (lastStep !== null && lastStep >= current && !isFarAhead) return undefined;
  const verdict = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: [period, 0],
    ...(lastStep !== null && !isFarAhead && { afterTimeStep: lastStep }),
  });
  return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : undefined;
}
