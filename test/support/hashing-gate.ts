import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface HashingGate {
  /** The number of hashes waiting at the gate. */
  held(): number;
  /** Lets through everything that waits and whatever comes later; call it before the test ends. */
  open(): void;
}

/**
 * Holds every password hash of this process until the gate is opened, so that the number of waiting requests depends on
 * what a test sends, and not on the speed of the machine.
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
