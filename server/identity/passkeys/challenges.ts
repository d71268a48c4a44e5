import { createHmac, timingSafeEqual } from 'node:crypto';
import { busy } from '../../platform/errors.ts';

/** How long a challenge is valid: enough time to find a security key. Milliseconds. */
export const challengeLifetime = 300_000;

const nonceBytes = 16;
const timeBytes = 8;
const bodyBytes = nonceBytes + timeBytes;
/** Challenges that were answered with a valid signature and could still be answered again. */
const mostUsed = 10_000;

interface Options {
  /** A random secret of this process: a restart ends pending attempts. */
  secret: Buffer;
  randomBytes: (size: number) => Buffer;
  monotonic: () => number;
}

export type Challenges = ReturnType<typeof challenges>;

/**
 * Challenges that carry their own proof, so that strangers who ask for them fill no memory. Each is for one purpose,
 * such as signing in at one origin, and can be used once.
 */
export function challenges({ secret, randomBytes, monotonic }: Options) {
  /** Until when each used one has to be remembered, oldest first. */
  const used = new Map<string, number>();

  function proofOf(body: Buffer, purpose: string): Buffer {
    return createHmac('sha256', secret).update(body).update(purpose).digest();
  }

  return {
    /** A new one, in base64url. */
    make(purpose: string): string {
      const body = Buffer.alloc(bodyBytes);
      randomBytes(nonceBytes).copy(body);
      body.writeDoubleBE(monotonic() + challengeLifetime, nonceBytes);
      return Buffer.concat([body, proofOf(body, purpose)]).toString('base64url');
    },

    /** Whether a challenge, in base64url, was issued here for this purpose and is neither used nor expired. */
    isOpen(challenge: string, purpose: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== bodyBytes + 32) return false;
      const body = bytes.subarray(0, bodyBytes);
      if (!timingSafeEqual(bytes.subarray(bodyBytes), proofOf(body, purpose))) return false;
      return monotonic() < body.readDoubleBE(nonceBytes) && !used.has(bytes.toString('base64url'));
    },

    /** Uses a challenge up; false when that was done before. Called once its answer was found right. */
    use(challenge: string): boolean {
      const name = Buffer.from(challenge, 'base64url').toString('base64url');
      const now = monotonic();
      for (const [old, endsAt] of used) {
        if (endsAt > now) break;
        used.delete(old);
      }
      if (used.has(name)) return false;
      if (used.size >= mostUsed) throw busy();
      used.set(name, now + challengeLifetime);
      return true;
    },
  };
}
