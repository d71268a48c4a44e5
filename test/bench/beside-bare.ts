import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { alternately, type Round } from './alternately.ts';
import { folderWithLinks, type Paths } from './links.ts';
import { describeSpread, spreadOf } from './metrics.ts';
import { pacedLoad, type Waits } from './paced.ts';
import { wireRequests } from './requests.ts';
import { type MeasuredServer, type OurServer, startBare, startOurs } from './servers.ts';
import { processorTime, type Run, residentMemory, runWrk } from './wrk.ts';

const linkCount = 100_000;
/** The goal of each figure: ratios to the bare server, except for bytes. */
const wanted = { burst: 0.8, sustained: 0.5, cost: 2, wait: 2, bytes: 60 };

/** The duration of each measurement. */
export interface Effort {
  rounds: number;
  burstSeconds: number;
  sustainedSeconds: number;
  waitSeconds: number;
}

interface Options {
  /** An empty folder for this run. */
  folder: string;
  effort: Effort;
  print: (line: string) => void;
}

/** A load, and the counting after it. */
interface Sustained {
  /** Responses per second of the time until all were counted. */
  rate: number;
  /** CPU microseconds of the whole process per response, counting included. */
  cost: number;
  answers: number;
  errors: number;
  /** Clicks that were not counted when the load ended. */
  waiting: number;
}

/**
 * Compares redirects of the built server with 100,000 links to a bare `node:http` server that answers 302: in a burst,
 * sustained (with the time and CPU time of counting), and the waiting times at half of that rate. Also the disk space
 * of a click, and whether each response is in the log. True if every goal is reached.
 */
export async function measureBesideBare({ folder, effort, print }: Options): Promise<boolean> {
  const paths = await folderWithLinks(folder, linkCount);
  const file = join(folder, 'waypost.sqlite');
  const sizeBefore = statSync(file).size;
  const bare = await startBare();
  const ours = await startOurs(folder);
  try {
    print(`start with ${linkCount} links: ${Math.round(ours.startMs)} ms, ${memoryOf(ours.pid)}`);
    const bursts = await measureBursts(bare, ours, paths, effort, print);
    const sustained = await measureSustained(bare, ours, paths, effort, print);
    const rate = Math.round(spreadOf(sustained.map((round) => round.ours.rate)).median / 2);
    const waits = await measureWaits({ bare, ours, paths, effort, print, rate });
    print(`memory after it: ${memoryOf(ours.pid)}`);
    await ours.settle();
    const logged = ours.logged();
    const answered = bursts.answered + sumOf(sustained, ({ answers }) => answers) + waits.answered;
    await ours.stop();
    const bytes = (statSync(file).size - sizeBefore) / logged;
    print(
      `one click: ${bytes.toFixed(1)} bytes on disk with all that is derived from it, wanted at most ${wanted.bytes}`,
    );
    // Responses in progress when wrk stopped are in the log, too: at most one per connection and run.
    const runs = 2 + effort.rounds * 2;
    const isComplete = logged >= answered && logged <= answered + 64 * runs;
    print(`clicks: ${answered} answers, ${logged} in the log: ${isComplete ? 'all there' : 'NOT EQUAL'}`);
    const ratios = {
      burst: spreadOf(bursts.rounds.map((round) => round.ours.rate / round.base.rate)).median,
      sustained: spreadOf(sustained.map((round) => round.ours.rate / round.base.rate)).median,
      cost: spreadOf(sustained.map((round) => round.ours.cost / round.base.cost)).median,
      wait: spreadOf(waits.rounds.map((round) => round.ours.p99 / round.base.p99)).median,
    };
    const errors = bursts.errors + sumOf(sustained, ({ errors: some }) => some);
    if (errors > 0) print(`ERRORS: ${errors}`);
    return (
      isComplete &&
      errors === 0 &&
      ratios.burst >= wanted.burst &&
      ratios.sustained >= wanted.sustained &&
      ratios.cost <= wanted.cost &&
      ratios.wait <= wanted.wait &&
      bytes <= wanted.bytes
    );
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

async function measureBursts(
  bare: MeasuredServer,
  ours: OurServer,
  paths: Paths,
  { rounds, burstSeconds }: Effort,
  print: (line: string) => void,
) {
  let warmUps = 0;
  const burst = ({ port, pid }: MeasuredServer) => runWrk(port, pid, paths.file, burstSeconds);
  const results = await alternately<MeasuredServer, Run>({
    base: bare,
    ours,
    rounds,
    async warmUp(side) {
      const run = await burst(side);
      if (side === ours) warmUps += run.requests;
    },
    measure: burst,
    onRound: (round, number) =>
      print(`burst, round ${number}: ours ${describeRun(round.ours)}, bare ${describeRun(round.base)}`),
  });
  print(
    `BURST: ${describeSpread(results.map((round) => round.ours.rate / round.base.rate))} of bare, wanted ${wanted.burst}`,
  );
  const all = results.flatMap((round) => [round.ours, round.base]);
  return {
    rounds: results,
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    answered: warmUps + results.reduce((sum, round) => sum + round.ours.requests, 0),
  };
}

async function measureSustained(
  bare: MeasuredServer,
  ours: OurServer,
  paths: Paths,
  { rounds, sustainedSeconds }: Effort,
  print: (line: string) => void,
): Promise<Round<Sustained>[]> {
  const results = await alternately<MeasuredServer, Sustained>({
    base: bare,
    ours,
    rounds,
    // Warm from the bursts.
    warmUp: async () => {},
    measure: (side) => sustain(side, side === ours ? ours : undefined, paths, sustainedSeconds),
    onRound: (round, number) =>
      print(
        `sustained, round ${number}: ours ${describeSustained(round.ours)} (${round.ours.waiting} were to be counted after the load), bare ${describeSustained(round.base)}`,
      ),
  });
  print(
    `SUSTAINED: ${describeSpread(results.map((round) => round.ours.rate / round.base.rate))} of bare, wanted ${wanted.sustained}`,
  );
  print(
    `PROCESSOR TIME of a click answered and counted: ${describeSpread(results.map((round) => round.ours.cost / round.base.cost))} of an answer of bare, wanted at most ${wanted.cost}`,
  );
  return results;
}

async function sustain(
  side: MeasuredServer,
  log: OurServer | undefined,
  paths: Paths,
  seconds: number,
): Promise<Sustained> {
  const processorBefore = processorTime(side.pid) ?? Number.NaN;
  const run = await runWrk(side.port, side.pid, paths.file, seconds);
  const countingSince = performance.now();
  const waiting = log?.uncounted() ?? 0;
  while (log && log.uncounted() > 0) await wait(20);
  const counting = waiting === 0 ? 0 : (performance.now() - countingSince) / 1000;
  // Checkpointing after the last click was counted is part of the cost.
  await side.settle();
  const processor = (processorTime(side.pid) ?? Number.NaN) - processorBefore;
  return {
    rate: run.requests / (run.seconds + counting),
    cost: (processor / run.requests) * 1e6,
    answers: run.requests,
    errors: run.errors,
    waiting,
  };
}

interface WaitOptions {
  bare: MeasuredServer;
  ours: OurServer;
  paths: Paths;
  effort: Effort;
  rate: number;
  print: (line: string) => void;
}

async function measureWaits({ bare, ours, paths, effort, rate, print }: WaitOptions) {
  const seconds = effort.waitSeconds;
  const visit = ({ port }: MeasuredServer) =>
    pacedLoad({ port, requests: wireRequests(paths.list, port), seconds, rate });
  let answered = 0;
  const results = await alternately<MeasuredServer, Waits>({
    base: bare,
    ours,
    rounds: effort.rounds,
    warmUp: async (side) => {
      await visit(side);
      if (side === ours) answered += Math.round(seconds * rate);
    },
    measure: visit,
    onRound: (round, number) =>
      print(
        `waits at ${rate}/s, round ${number}: ours ${describeWaits(round.ours)}, bare ${describeWaits(round.base)}`,
      ),
  });
  for (const share of ['p50', 'p99', 'p999'] as const) {
    const ratio = describeSpread(results.map((round) => round.ours[share] / round.base[share]));
    const own = describeSpread(results.map((round) => round.ours[share]));
    const goal = share === 'p99' ? `, wanted at most ${wanted.wait}` : '';
    print(`WAIT ${share} at ${rate}/s: ${own} ms, ${ratio} of bare${goal}`);
  }
  return { rounds: results, answered: answered + results.length * Math.round(seconds * rate) };
}

export function describeWaits({ p50, p99, p999 }: Waits): string {
  return `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, p99.9 ${p999.toFixed(2)} ms`;
}

function describeRun({ rate, p50, p99, cost }: Run): string {
  const processor = cost === undefined ? '' : `, ${cost.toFixed(1)} µs of processor each`;
  return `${Math.round(rate)}/s, p50 ${p50}, p99 ${p99}${processor}`;
}

function describeSustained({ rate, cost }: Sustained): string {
  return `${Math.round(rate)}/s, ${cost.toFixed(1)} µs of processor each`;
}

function sumOf(rounds: readonly Round<Sustained>[], figure: (sustained: Sustained) => number): number {
  return rounds.reduce((sum, round) => sum + figure(round.ours), 0);
}

function memoryOf(pid: number): string {
  const megabytes = residentMemory(pid);
  return megabytes === undefined ? 'memory unknown' : `${Math.round(megabytes)} MB resident`;
}
