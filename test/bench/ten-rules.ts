import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Condition, Rule } from '../../server/contract/rules.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { type Run, runWrk } from './wrk.ts';

const rounds = 10;
const secondsEach = 2;
/** What a link with ten rules must reach of the rate of one without. */
const wanted = 0.85;

/** Rules of all kinds, none of which is met by what wrk sends: each of them is looked at in every visit. */
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
  print: (line: string) => void;
}

/**
 * A link with ten rules beside one without, on one server and in turn. True when the median of the ratios of their rates
 * is at least 0.85.
 */
export async function measureTenRules({ folder, print }: Options): Promise<boolean> {
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  const rules: Rule[] = conditions.map((condition) => ({
    conditions: [condition],
    link: 'https://example.com/elsewhere',
  }));
  for (const [custom, fields] of Object.entries({ plain: {}, ruled: { rules } })) {
    const reply = await fetch(`${first.origin}/api/url/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ url: 'https://example.com/home', custom, ...fields }),
    });
    if (!reply.ok) throw new Error(`the link ${custom} was refused: ${await reply.text()}`);
  }
  await first.stop();

  const paths = (alias: string) => {
    const file = join(folder, `${alias}.txt`);
    // Many times, because wrk gives each line a browser and a page that it comes from.
    writeFileSync(file, Array<string>(150).fill(`/${alias}`).join('\n'));
    return file;
  };
  const [plain, ruled] = [paths('plain'), paths('ruled')];
  const server = await spawnServer(folder);
  const measure = (file: string, seconds: number) => runWrk(server.port, server.pid, file, seconds);
  try {
    await measure(plain, 2);
    await measure(ruled, 2);
    const ratios: number[] = [];
    const costs: number[] = [];
    let errors = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const one = round % 2 === 1 ? await measure(plain, secondsEach) : undefined;
      const other = await measure(ruled, secondsEach);
      const base = one ?? (await measure(plain, secondsEach));
      ratios.push(other.rate / base.rate);
      costs.push((base.cost ?? Number.NaN) / (other.cost ?? Number.NaN));
      errors += base.errors + other.errors;
      print(`ten rules, round ${round}: ${describe(other)}, none ${describe(base)}, ratio ${lastOf(ratios)}`);
    }
    const ratio = median(ratios);
    print(
      `ten rules: ratio ${ratio.toFixed(2)} (by processor time ${median(costs).toFixed(2)}), wanted ${wanted}, errors ${errors}`,
    );
    return ratio >= wanted && errors === 0;
  } finally {
    await server.stop();
  }
}

function describe({ rate, cost }: Run): string {
  return `${Math.round(rate)}/s${cost === undefined ? '' : ` at ${cost.toFixed(1)} µs`}`;
}

function lastOf(ratios: readonly number[]): string {
  return (ratios.at(-1) ?? Number.NaN).toFixed(2);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
