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
 * `npm test` and its parts: runs vitest, and prints the line that CI parses as the last one: `N passed, N failed`, plus
 * `, N skipped` if any. Skipped, flaky and slow tests are listed before it. `--all` builds first, runs `npm run check`
 * in parallel, counting each as a failure if it fails, and reruns a few failed files once. Other arguments are passed
 * to vitest: `npm test -- links`, `npm run test:unit -- -t alias`. The full-length projects `long` and
 * `long-renderer` and tests tagged `long` only run on request (`npm run test:faults`), which also prints a table of
 * fault trials, survived and lost.
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

/** Runs `npm run check` beside the tests; its output is returned, so as not to mix with theirs. */
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

/** Runs the selected tests; a full run also reruns failed files once. */
async function runTests(cliArgs: string[]): Promise<Run> {
  const { filter, options } = parseCLI(['vitest', 'run', ...cliArgs]);
  options.project ??= ['!long', '!long-renderer'];
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
  // A test left with `.only` would hide all others.
  const vitest = await startVitest(filter, { ...options, watch: false, allowOnly: !isWhole });
  const run = { files: countTests(vitest), durations: durationsOf(vitest), trials: trialsOf(vitest) };
  await vitest.close();
  return run;
}

/** The duration of each file. */
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

/** The trials of the full-length fault tests; a test that reports none counts as one trial. */
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
  // Exit explicitly: a handle left open by a test must not keep the process alive or print after the last line.
  process.stdout.write(line, () => process.exit(failures.length > 0 || passed === 0 ? 1 : 0));
}
