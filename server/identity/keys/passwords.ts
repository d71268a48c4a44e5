import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { fairQueue } from '../../platform/concurrency/fair-queue.ts';

/** scrypt with 32 MiB and three lanes, about 200 ms: memory-hard, and in Node as well as in Electron. */
const current = { ln: 15, r: 8, p: 3 };
/** Limits for the parameters of a stored hash: restored backups contain hashes from elsewhere. */
const mostMemory = 4 * 2 ** current.ln * current.r;
const mostWork = 4 * 2 ** current.ln * current.r * current.p;

export interface Passwords {
  /** A PHC string with the parameters in it. `party` asks for it. Throws 503 where too much of that waits. */
  hash(password: string, party: string): Promise<string>;
  /**
   * Whether the password matches; an absent hash and `noPassword` take as long and never match. `network` is where it
   * was sent from. Throws 503 where too much of that waits.
   */
  verify(password: string, hash: string | undefined, network: string): Promise<boolean>;
  /** Whether a check for this network would be taken on now. */
  hasCapacity(network: string): boolean;
  /** Whether a hash was made with outdated parameters. */
  isOutdated(hash: string): boolean;
}

interface Options {
  /** log2 of the cost; tests lower it. */
  cost?: number;
}

/** Replaces the hash of a person who signs in another way. */
export const noPassword = '';

/** Checks and hashes that may wait. */
const mostWaiting = 200;

/**
 * Hashes passwords, at most two at a time, so that a burst of sign-ins cannot exhaust memory. The queue is fair
 * between networks (and between accounts that set passwords), so that none blocks others.
 */
export function passwords({ cost = current.ln }: Options = {}): Passwords {
  const parameters = { ...current, ln: cost };
  const queue = fairQueue({ width: 2, most: mostWaiting });
  const nobody = format(parameters, randomBytes(16), randomBytes(32));
  return {
    async hash(password, party) {
      const salt = randomBytes(16);
      return format(parameters, salt, await queue.run(party, () => derive(password, salt, parameters)));
    },
    async verify(password, hash, network) {
      const isKnown = hash !== undefined && hash !== noPassword;
      const { salt, key, ...stored } = parse(isKnown ? hash : nobody);
      const derived = await queue.run(network, () => derive(password, salt, stored));
      return timingSafeEqual(derived, key) && isKnown;
    },
    hasCapacity: queue.hasCapacity,
    isOutdated(hash) {
      const { ln, r, p } = parse(hash);
      return ln !== parameters.ln || r !== parameters.r || p !== parameters.p;
    },
  };
}

interface Parameters {
  ln: number;
  r: number;
  p: number;
}

function derive(password: string, salt: Buffer, { ln, r, p }: Parameters): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
  return new Promise((resolve, reject) => {
    // The same characters typed on two systems may differ in their composition.
    scrypt(password.normalize('NFC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function format({ ln, r, p }: Parameters, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

function parse(hash: string): Parameters & { salt: Buffer; key: Buffer } {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(hash);
  if (!match) throw new Error('a stored password hash is not a scrypt PHC string');
  const [, ln, r, p, salt, key] = match as unknown as [string, string, string, string, string, string];
  const parameters = { ln: Number(ln), r: Number(r), p: Number(p) };
  const memory = 2 ** parameters.ln * parameters.r;
  if (memory > mostMemory || memory * parameters.p > mostWork) {
    throw new Error('a stored password hash asks for more memory or time than is allowed');
  }
  return {
    ...parameters,
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}
