import { alternately } from './alternately.ts';
import { folderWithLinks } from './links.ts';
import { describeSpread } from './metrics.ts';
import { type MeasuredServer, startBare, startOurs } from './servers.ts';
import { describeRate, type Run, runWrk } from './wrk.ts';

const linkCount = 10_000;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  rounds: number;
  seconds: number;
  print: (line: string) => void;
}

/**
 * Compares redirects of the built server behind a proxy to a bare `node:http` server, with visitors that it has not seen
 * before: their addresses, browsers and languages must be read, while three visitors that return are remembered. There
 * is no goal for it; false only if a response was not a redirect.
 */
export async function measureNewVisitors({ folder, rounds, seconds, print }: Options): Promise<boolean> {
  const paths = await folderWithLinks(folder, linkCount);
  const bare = await startBare();
  const ours = await startOurs(folder, ['--trusted-proxies', '127.0.0.1']);
  const burst = ({ port, pid }: MeasuredServer) => runWrk(port, pid, paths.file, seconds, 'new');
  try {
    const results = await alternately<MeasuredServer, Run>({
      base: bare,
      ours,
      rounds,
      warmUp: burst,
      measure: burst,
      onRound: (round, number) =>
        print(
          `new visitors, round ${number}: ours ${describeRate(round.ours)}, bare ${describeRate(round.base)}`,
        ),
    });
    const ratios = results.map((round) => round.ours.rate / round.base.rate);
    const errors = results.reduce((sum, round) => sum + round.ours.errors + round.base.errors, 0);
    print(`NEW VISITORS: ${describeSpread(ratios)} of bare, errors ${errors}`);
    return errors === 0;
  } finally {
    await bare.stop();
    await ours.stop();
  }
}
