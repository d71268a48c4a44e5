import { setTimeout as wait } from 'node:timers/promises';
import { describeWaits } from './beside-bare.ts';
import { folderWithLinks } from './links.ts';
import { pacedLoad } from './paced.ts';
import { wireRequests } from './requests.ts';
import { startOurs } from './servers.ts';

const linkCount = 10_000;
/** The goal, and the lower rates tried if it is missed. */
const rates = [10_000, 8_000, 6_000, 4_000, 2_000];
const wanted = { lagMs: 2_000, p99: 10 };
/** Polling interval for the lag of the statistics. Milliseconds. */
const lookMs = 100;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  seconds: number;
  print: (line: string) => void;
}

/**
 * A sustained load: redirects at a constant rate, and the maximum lag of the statistics. Goes down from 10,000 a second
 * until a rate is sustained. True if the first is.
 */
export async function measureConstantRate({ folder, seconds, print }: Options): Promise<boolean> {
  const paths = await folderWithLinks(folder, linkCount);
  const server = await startOurs(folder);
  const requests = wireRequests(paths.list, server.port);
  try {
    await pacedLoad({ port: server.port, requests, seconds: 3, rate: 5_000 });
    for (const rate of rates) {
      await server.settle();
      let worstLag = 0;
      let ended = false;
      const watching = (async () => {
        while (!ended) {
          worstLag = Math.max(worstLag, server.lagMs());
          await wait(lookMs);
        }
      })();
      const waits = await pacedLoad({ port: server.port, requests, seconds, rate }).catch(
        (error: Error) => error,
      );
      ended = true;
      await watching;
      const isHeld =
        !(waits instanceof Error) &&
        waits.rate > 0.98 * rate &&
        waits.p99 <= wanted.p99 &&
        worstLag <= wanted.lagMs;
      const outcome =
        waits instanceof Error ? waits.message : `${describeWaits(waits)} at ${Math.round(waits.rate)}/s`;
      print(
        `CONSTANT ${rate}/s for ${seconds} s: ${outcome}, statistics at most ${(worstLag / 1000).toFixed(1)} s behind: ${isHeld ? 'held' : 'NOT HELD'}`,
      );
      if (isHeld) return rate === rates[0];
    }
    return false;
  } finally {
    await server.stop();
  }
}
