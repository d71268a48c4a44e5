import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Condition, Rule } from '../../server/contract/rules.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { alternately, type Side } from './alternately.ts';
import { describeSpread, spreadOf } from './metrics.ts';
import { startOurs } from './servers.ts';
import { describeRate, type Run, runWrk } from './wrk.ts';

const secondsEach = 2;
/** The minimum rate of a link with ten rules, relative to one without. */
const wanted = 0.85;

/** Rules of all kinds, none of which matches wrk's requests, so each of them is evaluated in every visit. */
const conditions: Condition[] = [
  { type: 'country', op: 'is', value: 'DE' },
  { type: 'device', op: 'is', value: 'iPad' },
  { type: 'os', op: 'in', value: ['Linux', 'ChromeOS'] },
  { type: 'browser', op: 'is', value: 'Firefox' },
  { type: 'language', op: 'is', value: 'pt-br' },
  { type: 'query', op: 'is', value: 'ref=mail' },
  { type: 'referrer', op: 'is', value: 'other.example.net' },
  { type: 'date', op: 'before', value: '2020-01-01 00:00:00' },
  {
    type: 'schedule',
    op: 'between',
    value: { days: [1], from: '03:00', to: '03:01', timezone: 'Europe/Berlin' },
  },
  { type: 'ip', op: 'is', value: '203.0.113.0/24' },
];

interface Options {
  /** A data folder of an instance without an account. */
  folder: string;
  rounds: number;
  print: (line: string) => void;
}

/** One of the two links. */
interface Link extends Side {
  /** The file of its path. */
  paths: string;
}

/**
 * Compares a link with ten rules to one without, alternately on one server. True if the median ratio of their rates is
 * at least 0.85.
 */
export async function measureTenRules({ folder, rounds, print }: Options): Promise<boolean> {
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  const rules: Rule[] = conditions.map((condition) => ({
    conditions: [condition],
    link: 'https://example.com/elsewhere',
  }));
  await addLink(first.origin, key, { custom: 'plain' });
  await addLink(first.origin, key, { custom: 'ruled', rules });
  await first.stop();

  const server = await startOurs(folder);
  const link = (alias: string): Link => ({ paths: pathsOf(folder, alias), settle: server.settle });
  const measure = ({ paths }: Link) => runWrk(server.port, server.pid, paths, secondsEach);
  try {
    const results = await alternately<Link, Run>({
      base: link('plain'),
      ours: link('ruled'),
      rounds,
      warmUp: measure,
      measure,
      onRound: ({ base, ours }, number) =>
        print(`ten rules, round ${number}: ${describeRate(ours)}, none ${describeRate(base)}`),
    });
    const ratios = results.map(({ base, ours }) => ours.rate / base.rate);
    const costs = results.map(({ base, ours }) => (base.cost ?? Number.NaN) / (ours.cost ?? Number.NaN));
    const errors = results.reduce((sum, { base, ours }) => sum + base.errors + ours.errors, 0);
    print(
      `TEN RULES: ${describeSpread(ratios)} of none (by processor time ${describeSpread(costs)}), wanted ${wanted}, errors ${errors}`,
    );
    return spreadOf(ratios).median >= wanted && errors === 0;
  } finally {
    await server.stop();
  }
}

async function addLink(origin: string, key: string, fields: object): Promise<void> {
  const reply = await fetch(`${origin}/api/url/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: 'https://example.com/home', ...fields }),
  });
  if (!reply.ok) throw new Error(`the link was refused: ${await reply.text()}`);
}

function pathsOf(folder: string, alias: string): string {
  const file = join(folder, `${alias}.txt`);
  // Many times, because wrk assigns a browser and a referrer to each line.
  writeFileSync(file, Array<string>(150).fill(`/${alias}`).join('\n'));
  return file;
}
