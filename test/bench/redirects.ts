import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../build/freshness.ts';
import { findProgram } from '../support/provision.ts';
import { type Effort, measureBesideBare } from './beside-bare.ts';
import { measureConstantRate } from './constant-rate.ts';
import { measureDnsDown } from './dns-down.ts';
import { measureFirstPage } from './first-page.ts';
import { measureFleet } from './fleet.ts';
import { measureFleetSize } from './fleet-size.ts';
import { measureLinksPage } from './links-page.ts';
import { measureLongWork } from './long-work.ts';
import { measureNewVisitors } from './new-visitors.ts';
import { measureRestore } from './restore.ts';
import { measureScale } from './scale.ts';
import { measureTeamChanges } from './team-changes.ts';
import { measureTenRules } from './ten-rules.ts';

/**
 * `npm run bench`: how fast the built server redirects; each figure is compared with a baseline in the same run. It
 * takes about twenty minutes. `--quick` measures less, for a first impression, and `--only <name>` one part. With
 * `--long-work` it only measures how long operations at full size delay redirects; with `--scale`, how lists, searches
 * and statistics grow.
 */
const quick = process.argv.includes('--quick');
const only = optionAfter('--only');
const effort: Effort = quick
  ? { rounds: 3, burstSeconds: 2, sustainedSeconds: 5, waitSeconds: 3 }
  : { rounds: 5, burstSeconds: 5, sustainedSeconds: 30, waitSeconds: 10 };

/** The parts of the benchmark; each gets a folder of its own. */
const parts: Record<string, (folder: string) => Promise<boolean>> = {
  'beside-bare': (folder) => measureBesideBare({ folder, effort, print }),
  'constant-rate': (folder) => measureConstantRate({ folder, seconds: quick ? 10 : 60, print }),
  'new-visitors': (folder) =>
    measureNewVisitors({ folder, rounds: quick ? 3 : 5, seconds: effort.burstSeconds, print }),
  'ten-rules': (folder) => measureTenRules({ folder, rounds: quick ? 4 : 10, print }),
  'dns-down': (folder) => measureDnsDown({ folder, rounds: quick ? 3 : 9, print }),
  fleet: (folder) => measureFleet({ folder, rounds: quick ? 3 : 9, seconds: quick ? 2 : 5, print }),
  'fleet-size': (folder) => measureFleetSize({ folder, links: quick ? 100_000 : 1_000_000, print }),
  'first-page': (folder) => measureFirstPage({ folder, print }),
  'links-page': (folder) => measureLinksPage({ folder, print }),
  'team-changes': (folder) => measureTeamChanges({ folder, changes: quick ? 100 : 1000, print }),
};

const isWhole = !process.argv.includes('--long-work') && !process.argv.includes('--scale');
if (isWhole && only !== undefined && !Object.hasOwn(parts, only)) {
  print(`bench: there is no part ${only}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
if (!findProgram('wrk')) {
  print('bench: wrk is not installed (Debian: apt-get install wrk), so nothing was measured.');
  process.exit(1);
}
const built = await ensureBuilt();
if (built !== 0) process.exit(built);
const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
try {
  process.exitCode = await measureWanted();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measureWanted(): Promise<number> {
  if (process.argv.includes('--long-work')) return measureWork();
  return process.argv.includes('--scale') ? measureSizes() : measureParts();
}

/** How lists and statistics grow; `--links <number>` measures one size. */
async function measureSizes(): Promise<number> {
  const links = optionAfter('--links');
  const sizes = links === undefined ? [10_000, 100_000, 1_000_000] : [Number(links)];
  return (await measureScale({ folder, sizes, print })) ? 0 : 1;
}

/** Runs all parts, or the requested one; returns 1 if a goal is missed. */
async function measureParts(): Promise<number> {
  const names = Object.keys(parts).filter((name) => only === undefined || name === only);
  if (quick) print('bench: --quick measures too little for figures that anybody should quote.');
  const missed: string[] = [];
  for (const name of names) {
    const reached = await parts[name]?.(folderOf(name));
    if (!reached) missed.push(name);
  }
  print(missed.length === 0 ? 'every goal is reached' : `goals missed in: ${missed.join(', ')}`);
  return missed.length === 0 ? 0 : 1;
}

/**
 * How long each long-running operation delays redirects, and how long a restore takes; `--only <text>` selects some.
 */
async function measureWork(): Promise<number> {
  const isQuick = await measureLongWork({ folder: folderOf('long-work'), only, print });
  const isRestored =
    (only !== undefined && !'restore'.includes(only)) ||
    (await measureRestore({ folder: folderOf('restore'), isQuick: quick, print }));
  return isQuick && isRestored ? 0 : 1;
}

function folderOf(name: string): string {
  const own = join(folder, name);
  mkdirSync(own);
  return own;
}

function optionAfter(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
