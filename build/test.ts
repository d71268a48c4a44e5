import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCLI, startVitest, type Vitest } from 'vitest/node';
import { durationLines, type FileDuration } from './durations.ts';
import { runScript } from './processes.ts';
import { memoryFolder, removeFolder } from './scratch.ts';
import { countTests, type FileCount, triedAgain, withSecondTries } from './test-count.ts';
import { longTag } from './test-order.ts';
import { type Trial, trialTable } from './trial-table.ts';

/**
 * `npm test` and its parts: runs vitest and ends with the line that CI reads, `N passed, N failed`, with
 * `, N skipped` when any. What was skipped, passed only when tried again, or took longest is named before it. With
 * `--all` the build goes first and `npm run check` beside the tests, and each counts as failed when it does; a few
 * files that failed run once more then. What else is given goes to vitest:
 * `npm test -- links`, `npm run test:unit -- -t alias`. The projects `long` and `long-components`, tests at full
 * length, run only when they are named: `npm run test:faults`; a table of what those of faults tried, survived and lost
 * is then printed as well. Tests with the tag `long` run only there.
 */
const args = process.argv.slice(2).filter((arg) => arg !== '--all');
const isWhole = process.argv.includes('--all');

const failedSteps: string[] = [];
if (isWhole && (await runScript('build/build.ts', ['--quiet'])) !== 0) failedSteps.push('build/build.ts');
const checking = isWhole ? check() : undefined;
const scratch = memoryFolder();
if (scratch) process.env.WAYPOST_TEST_FOLDER = scratch;
const run = await runTests(args);
if (scratch) removeFolder(scratch);
const checked = await checking;
if (checked) {
  process.stdout.write(checked.output);
  if (checked.code !== 0) failedSteps.push('build/check.ts');
}
if (run.trials.length > 0) process.stdout.write(`\n${trialTable(run.trials)}\n`);
report(run, failedSteps);

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

interface Run {
  files: FileCount[];
  durations: FileDuration[];
  trials: Trial[];
}

/** Runs the tests that are asked for; of the whole run, files that failed once more. */
async function runTests(cliArgs: string[]): Promise<Run> {
  const { filter, options } = parseCLI(['vitest', 'run', ...cliArgs]);
  options.project ??= ['!long', '!long-components'];
  const isLong = [options.project].flat().some((name) => name.startsWith('long'));
  if (!isLong) options.tagsFilter ??= [`!${longTag}`];
  const first = await runOnce(filter, options);
  const again = isWhole ? triedAgain(first.files) : [];
  if (again.length === 0) return first;
  process.stdout.write(`\nagain    ${again.map(({ file }) => file).join(', ')}\n`);
  const second = await runOnce(
    again.map(({ file }) => file),
    { ...options, project: [...new Set(again.map(({ project }) => project))] },
  );
  return {
    files: withSecondTries(first.files, second.files),
    durations: [...first.durations, ...second.durations],
    trials: first.trials,
  };
}

async function runOnce(filter: string[], options: ReturnType<typeof parseCLI>['options']): Promise<Run> {
  // A test left alone by `.only` would hide all others.
  const vitest = await startVitest(filter, { ...options, watch: false, allowOnly: !isWhole });
  const run = { files: countTests(vitest), durations: durationsOf(vitest), trials: trialsOf(vitest) };
  await vitest.close();
  return run;
}

/** How long each file took. */
function durationsOf(vitest: Vitest): FileDuration[] {
  return vitest.state.getTestModules().map((module) => {
    const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
      module.diagnostic();
    return {
      project: module.project.name,
      file: module.relativeModuleId,
      tests: [...module.children.allTests()].length,
      milliseconds: environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration,
    };
  });
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

function report({ files, durations }: Run, steps: string[]): void {
  const sum = (key: 'passed' | 'left') => files.reduce((total, file) => total + file[key], 0);
  const lines = (key: 'failed' | 'skipped' | 'unsteady') => files.flatMap((file) => file[key]);
  for (const line of durationLines(durations)) process.stdout.write(`${line}\n`);
  if (sum('left') > 0) process.stdout.write(`left     ${sum('left')} tests to npm run test:faults\n`);
  const skipped = lines('skipped');
  for (const line of skipped) process.stdout.write(`skipped  ${line}\n`);
  for (const line of lines('unsteady')) process.stdout.write(`unsteady ${line}\n`);
  const failures = [...lines('failed'), ...steps];
  for (const line of failures) process.stdout.write(`failed   ${line}\n`);
  const passed = sum('passed');
  if (passed + failures.length === 0) process.stdout.write('No test ran.\n');
  const line = `${passed} passed, ${failures.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`;
  // Something that a test left running must not keep the command, nor print after its last line.
  process.stdout.write(line, () => process.exit(failures.length > 0 || passed === 0 ? 1 : 0));
}
