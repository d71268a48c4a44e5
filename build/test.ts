import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCLI, startVitest, type Vitest } from 'vitest/node';
import { durationLines } from './durations.ts';
import { runScript } from './processes.ts';
import { memoryFolder, removeFolder } from './scratch.ts';
import { longTag } from './test-order.ts';
import { type Trial, trialTable } from './trial-table.ts';

/**
 * `npm test` and its parts: runs vitest and ends with the line that CI reads, `N passed, N failed`, with
 * `, N skipped` when any. What was skipped, passed only when tried again, or took longest is named before it. With
 * `--all` the build goes first and `npm run check` beside the tests, and each counts as failed when it does. What else is
 * given goes to vitest:
 * `npm test -- links`, `npm run test:unit -- -t alias`. The projects `long` and `long-components`, tests at full length, run only when they are
 * named: `npm run test:faults`; a table of what those of faults tried, survived and lost is then printed as well. Tests
 * with the tag `long` run only there.
 */
const args = process.argv.slice(2).filter((arg) => arg !== '--all');
const isWhole = process.argv.includes('--all');

interface Count {
  passed: number;
  /** Which failed, and why: of a long log, often only the end is kept. */
  failed: string[];
  skipped: string[];
  /** How many run only at full length. */
  left: number;
  /** Failed once, passed when tried again, with why. */
  unsteady: string[];
  /** What took how long. */
  durations: string[];
}

const failedSteps: string[] = [];
if (isWhole && (await runScript('build/build.ts', ['--quiet'])) !== 0) failedSteps.push('build/build.ts');
const checking = isWhole ? check() : undefined;
const scratch = memoryFolder();
if (scratch) process.env.WAYPOST_TEST_FOLDER = scratch;
const count = await runTests(args);
if (scratch) removeFolder(scratch);
const checked = await checking;
if (checked) {
  process.stdout.write(checked.output);
  if (checked.code !== 0) failedSteps.push('build/check.ts');
}
report(count, failedSteps);

/** Runs `npm run check` beside the tests, whose output it must not be lost in: what it said is returned. */
async function check(): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-check-'));
  const file = join(folder, 'output');
  const descriptor = openSync(file, 'w');
  try {
    const code = await runScript('build/check.ts', [], { stdio: ['ignore', descriptor, descriptor] });
    return { code, output: readFileSync(file, 'utf8') };
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(cliArgs: string[]): Promise<Count> {
  const { filter, options } = parseCLI(['vitest', 'run', ...cliArgs]);
  options.project ??= ['!long', '!long-components'];
  const isLong = [options.project].flat().some((name) => name.startsWith('long'));
  if (!isLong) options.tagsFilter ??= [`!${longTag}`];
  // A test left alone by `.only` would hide all others.
  const vitest = await startVitest(filter, { ...options, watch: false, allowOnly: !isWhole });
  const result = countTests(vitest);
  const trials = trialsOf(vitest);
  if (trials.length > 0) process.stdout.write(`\n${trialTable(trials)}\n`);
  await vitest.close();
  return result;
}

/** Counts tests, and as failed also what kept tests from running: files, hooks and errors outside of tests. */
function countTests(vitest: Vitest): Count {
  const result: Count = {
    passed: 0,
    failed: vitest.state
      .getUnhandledErrors()
      .map((error) => `outside of tests: ${firstLines(String((error as Partial<Error>).message ?? error))}`),
    skipped: [],
    left: 0,
    unsteady: [],
    durations: durationsOf(vitest),
  };
  for (const module of vitest.state.getTestModules()) {
    const { relativeModuleId: file } = module;
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    for (const error of [...module.errors(), ...suites]) {
      result.failed.push(`${file}: ${firstLines(error.message)}`);
    }
    for (const test of module.children.allTests()) {
      const outcome = test.result();
      if (outcome.state === 'passed') {
        result.passed += 1;
        const [error] = outcome.errors ?? [];
        if (error) result.unsteady.push(`${file}: ${test.fullName}: ${firstLines(error.message)}`);
      } else if (
        outcome.state === 'skipped' &&
        module.project.name !== 'long' &&
        test.tags.includes(longTag)
      ) {
        result.left += 1;
      } else if (outcome.state === 'skipped') {
        result.skipped.push(`${test.fullName}: ${outcome.note ?? 'no reason given'}`);
      } else {
        result.failed.push(`${file}: ${test.fullName}: ${firstLines(outcome.errors?.[0]?.message ?? '')}`);
      }
    }
  }
  return result;
}

/** What a message begins with; some carry the whole output of a program. */
function firstLines(message: string): string {
  const [start = ''] = message.match(/^(?:.*\n?){0,3}/) ?? [];
  return start.trimEnd().slice(0, 400);
}

/** The slowest files of the run, and what each project took. */
function durationsOf(vitest: Vitest): string[] {
  return durationLines(
    vitest.state.getTestModules().map((module) => {
      const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
        module.diagnostic();
      return {
        project: module.project.name,
        file: module.relativeModuleId,
        tests: [...module.children.allTests()].length,
        milliseconds: environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration,
      };
    }),
  );
}

/** What the tests of faults at full length tried; one that kept no account of it tried one thing. */
function trialsOf(vitest: Vitest): Trial[] {
  const modules = vitest.state
    .getTestModules()
    .filter(
      ({ project, relativeModuleId }) =>
        project.name === 'long' && relativeModuleId.startsWith('test/faults/'),
    );
  return modules.flatMap((module) =>
    [...module.children.allTests()].map((test): Trial => {
      const { state } = test.result();
      const [row = module.relativeModuleId.replace(/^.*\/|\.test\.ts$/g, '')] =
        /\b[FT]-\d\d\b/.exec(test.fullName) ?? [];
      const what = test.name.replace(/ \([FT]-\d\d\)$/, '');
      if (state === 'skipped') return { row, what, tried: 0, survived: 0, lost: 0, note: 'skipped' };
      const hasPassed = state === 'passed';
      const once = { row, what, tried: 1, survived: hasPassed ? 1 : 0, lost: 0 };
      const { trial = once } = test.meta() as { trial?: Trial };
      return hasPassed ? trial : { ...trial, note: 'FAILED' };
    }),
  );
}

function report({ passed, failed, skipped, left, unsteady, durations }: Count, steps: string[]): void {
  for (const line of durations) process.stdout.write(`${line}\n`);
  if (left > 0) process.stdout.write(`left     ${left} tests to npm run test:faults\n`);
  for (const line of skipped) process.stdout.write(`skipped  ${line}\n`);
  for (const line of unsteady) process.stdout.write(`unsteady ${line}\n`);
  const failures = [...failed, ...steps];
  for (const line of failures) process.stdout.write(`failed   ${line}\n`);
  if (passed + failed.length === 0) process.stdout.write('No test ran.\n');
  const line = `${passed} passed, ${failures.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`;
  // Something that a test left running must not keep the command, nor print after its last line.
  process.stdout.write(line, () => process.exit(failures.length > 0 || passed === 0 ? 1 : 0));
}
