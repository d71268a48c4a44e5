import type { IncomingMessage } from 'node:http';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { pieceCheck } from '../../platform/http/body-pieces.ts';

export type PasswordOutcome = 'right' | 'wrong' | 'blocked' | 'busy' | 'tooLarge' | 'gone';

interface Options {
  passwords: Pick<Passwords, 'hasCapacity' | 'verify'>;
  monotonic: () => number;
  /** The number of machines that share the attempts; by default this is the only one. */
  machines?: (() => number) | undefined;
}

/** Wrong passwords per window, on all machines together. */
const mostFailures = 10;

/** Room for a password of 1,024 four-byte characters, percent-encoded, and the field's name. */
const largestForm = 16_384;

/**
 * Checks the forms of password pages: at most ten failures in 15 minutes per link and network, on all machines
 * together.
 */
export function passwordForms({ passwords, monotonic, machines = () => 1 }: Options) {
  const failures = fixedWindow({ windowMs: 15 * 60_000, monotonic });
  const isBlocked = (name: string) =>
    failures.hits(name) >= Math.max(1, Math.floor(mostFailures / machines()));
  return {
    /** Reads the form and checks its password. It only queues for verification once the body has arrived. */
    async check(
      request: IncomingMessage,
      link: { id: number | string; passwordHash: string },
      address: string,
    ): Promise<PasswordOutcome> {
      const name = nameOf(link, address);
      if (isBlocked(name)) return 'blocked';
      const form = await readForm(request);
      if (form === undefined) return 'gone';
      if (form === 'tooLarge') return 'tooLarge';
      const password = new URLSearchParams(form).get('password') ?? '';
      const canBeRight = password !== '' && password.length <= 1024;
      // Others may have used up the attempts while the form was arriving.
      if (isBlocked(name)) return 'blocked';
      const network = networkOf(address);
      if (canBeRight && !passwords.hasCapacity(network)) return 'busy';
      // Counted before the check, so that parallel attempts cannot slip through while it runs.
      failures.hit(name);
      if (!canBeRight || !(await passwords.verify(password, link.passwordHash, network))) return 'wrong';
      failures.forget(name);
      return 'right';
    },
    secondsLeft: (link: { id: number | string }, address: string) =>
      failures.secondsLeft(nameOf(link, address)),
  };
}

function nameOf(link: { id: number | string }, address: string): string {
  return `${link.id} ${networkOf(address)}`;
}

/** The body as text; undefined if the connection broke, `tooLarge` also if it came in too many chunks. */
export function readForm(request: IncomingMessage): Promise<string | 'tooLarge' | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const isInTooManyPieces = pieceCheck();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestForm || isInTooManyPieces(chunk)) {
        request.removeAllListeners('data');
        request.pause();
        resolve('tooLarge');
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
