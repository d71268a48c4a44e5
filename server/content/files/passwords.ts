import type { IncomingMessage } from 'node:http';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { type PasswordOutcome, passwordForms } from '../../visits/redirects/password-form.ts';

interface Locked {
  id: number;
  passwordHash: string;
}

export interface FilePasswords {
  check(request: IncomingMessage, file: Locked, address: string): Promise<PasswordOutcome>;
  /** Seconds until the next try. */
  secondsLeft(file: Locked, address: string): number;
}

interface Options {
  passwords: Pick<Passwords, 'hasCapacity' | 'verify'>;
  /** Monotonic milliseconds. */
  monotonic: () => number;
}

/**
 * Checks the forms of protected files (T-13): ten wrong passwords a quarter of an hour from one address, and a hundred an
 * hour for one file from all of them, since a content is worth guessing from many addresses.
 */
export function filePasswords({ passwords, monotonic }: Options): FilePasswords {
  const forms = passwordForms({ passwords, monotonic });
  const everywhere = fixedWindow({ limit: 100, windowMs: 3_600_000, monotonic });
  return {
    async check(request, file, address) {
      const name = String(file.id);
      if (everywhere.isBlocked(name)) return 'blocked';
      const outcome = await forms.check(request, file, address);
      if (outcome === 'wrong') everywhere.hit(name);
      return outcome;
    },
    secondsLeft: (file, address) =>
      everywhere.isBlocked(String(file.id))
        ? everywhere.secondsLeft(String(file.id))
        : forms.secondsLeft(file, address),
  };
}
