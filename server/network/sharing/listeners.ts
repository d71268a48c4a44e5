import type { Logger } from 'pino';
import type { Listening } from '../../platform/http/listen.ts';

interface Options {
  listenOn: (address: string) => Promise<Listening>;
  graceMs: number;
  log: Pick<Logger, 'warn'>;
}

/** Listeners without encryption on addresses of the network. */
export function insecureListeners({ listenOn, graceMs, log }: Options) {
  const open = new Map<string, Listening>();
  let problem: string | null = null;
  return {
    /** Opens and closes until just these addresses are listened on. */
    async become(wanted: readonly string[]): Promise<void> {
      problem = null;
      for (const [address, listening] of open) {
        if (wanted.includes(address)) continue;
        open.delete(address);
        await listening.stop(graceMs);
      }
      for (const address of wanted) {
        if (open.has(address)) continue;
        try {
          open.set(address, await listenOn(address));
        } catch (err) {
          problem = err instanceof Error ? err.message : String(err);
          log.warn({ err, address }, 'cannot listen on a network address');
        }
      }
    },
    has: (address: string): boolean => open.has(address),
    /** Why some address is not listened on, as a sentence. */
    problem: (): string | null => problem,
  };
}
