import { writeSync } from 'node:fs';

/** How often a line is tried again that its reader takes too slowly, with a millisecond in between. */
const mostTries = 5;

/**
 * Writes each line of the log to a file descriptor at once, so that none is lost at the end of the process. A line that
 * nobody takes is dropped: a log that is full, slow or closed must stop neither the server nor its end.
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
