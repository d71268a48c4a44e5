import { writeSync } from 'node:fs';

/** How often a line is retried when its reader is slow, with a millisecond in between. */
const mostTries = 5;

/**
 * Writes each log line to a file descriptor synchronously, so that none is lost when the process exits. Lines that
 * cannot be written are dropped: a full, slow or closed log must not block the server or its shutdown.
 */
export function logDestination(descriptor: number): { write(line: string): void } {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  return {
    write(line) {
      const bytes = Buffer.from(line);
      let written = 0;
      for (let tries = 0; written < bytes.length && tries < mostTries; ) {
        try {
          written += writeSync(descriptor, bytes, written);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
          tries += 1;
          Atomics.wait(pause, 0, 0, 1);
        }
      }
    },
  };
}
