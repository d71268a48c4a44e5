import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface HashingGate {
  /** How many hashes stand before the gate. */
  held(): number;
  /** Lets through what stands there and whatever comes later; to be called before the test ends. */
  open(): void;
}

/**
 * Holds every password hash of this process until the gate is opened: how many requests wait for one is then a matter
 * of what a test sends, and not of how fast the machine is.
 */
export function hashingGate(): HashingGate {
  const real = crypto.scrypt;
  const waiting: (() => void)[] = [];
  const gated = (...hash: Parameters<typeof real>) => void waiting.push(() => real(...hash));
  // The overloads differ in arguments that are handed on as they come.
  crypto.scrypt = gated as typeof real;
  syncBuiltinESMExports();
  return {
    held: () => waiting.length,
    open() {
      crypto.scrypt = real;
      syncBuiltinESMExports();
      for (const hash of waiting.splice(0)) hash();
    },
  };
}
