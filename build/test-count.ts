import { relative } from 'node:path';
import type { TestModule, Vitest } from 'vitest/node';
import { longTag } from './test-order.ts';

/** What became of the tests of a file. */
export interface FileCount {
  readonly project: string;
  /** From the root of the project; empty for what belongs to none. */
  readonly file: string;
  readonly passed: number;
  /** Which failed, and why: of a long log, often only the end is kept. */
  readonly failed: readonly string[];
  /** Those of `failed` that happened outside of tests. */
  readonly outside: readonly string[];
  readonly skipped: readonly string[];
  /** How many run only at full length. */
  readonly left: number;
  /** Failed once, passed when tried again, with why. */
  readonly unsteady: readonly string[];
}

/** Where more files fail than this, it is not an accident. */
const mostFiles = 4;

/**
 * The files that run once more: a test that is tried again meets what its first try left on a server that is its
 * file's, such as a name that is taken. The whole file begins with servers of its own. Not so a file with an error
 * outside of its tests, which may come at any time: that it does not come again proves nothing.
 */
export function triedAgain(files: readonly FileCount[]): FileCount[] {
  const failed = files.filter((file) => file.failed.length > 0);
  const isAccident = failed.length <= mostFiles && failed.every(({ file }) => file !== '');
  return isAccident ? failed.filter(({ outside }) => outside.length === 0) : [];
}

/** The files as they were the last time; what failed and did not when it ran once more was unsteady. */
export function withSecondTries(first: readonly FileCount[], second: readonly FileCount[]): FileCount[] {
  const isSame = (one: FileCount, other: FileCount) =>
    one.project === other.project && one.file === other.file;
  const again = triedAgain(first);
  return [
    ...first.map((file) => {
      const later = again.includes(file) && second.find((each) => isSame(each, file));
      if (!later || later.failed.length > 0 || later.passed < file.passed) return file;
      // What failed and is skipped then has not passed.
      if (later.skipped.length > file.skipped.length) return file;
      return { ...later, unsteady: [...file.unsteady, ...file.failed, ...later.unsteady] };
    }),
    // An error that belongs to no file counts, whenever it happens.
    ...second.filter((later) => later.failed.length > 0 && !first.some((file) => isSame(file, later))),
  ];
}

/** Counts tests, and as failed also what kept tests from running: files, hooks and errors outside of tests. */
export function countTests(vitest: Vitest): FileCount[] {
  const files = vitest.state.getTestModules().map(countFile);
  const outside = vitest.state.getUnhandledErrors().map((error) => {
    const { message, VITEST_TEST_PATH: path } = error as { message?: string; VITEST_TEST_PATH?: string };
    const said = `outside of tests: ${firstLines(String(message ?? error))}`;
    return { file: path ? relative(vitest.config.root, path) : '', said };
  });
  const saidOf = (file: FileCount) =>
    outside.filter((each) => each.file === file.file).map(({ said }) => said);
  const others = outside.filter(({ file }) => !files.some((each) => each.file === file));
  return [
    ...files.map((file) => {
      const said = saidOf(file);
      return { ...file, failed: [...said, ...file.failed], outside: said };
    }),
    ...others.map(({ said }) => ({ ...nothing, project: '', file: '', failed: [said], outside: [said] })),
  ];
}

const nothing = { passed: 0, failed: [], outside: [], skipped: [], left: 0, unsteady: [] };

function countFile(module: TestModule): FileCount {
  const { relativeModuleId: file } = module;
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const failed = [...module.errors(), ...suites].map(({ message }) => `${file}: ${firstLines(message)}`);
  const skipped: string[] = [];
  const unsteady: string[] = [];
  let passed = 0;
  let left = 0;
  for (const test of module.children.allTests()) {
    const outcome = test.result();
    if (outcome.state === 'passed') {
      passed += 1;
      const [error] = outcome.errors ?? [];
      if (error) unsteady.push(`${file}: ${test.fullName}: ${firstLines(error.message)}`);
    } else if (outcome.state === 'skipped' && module.project.name !== 'long' && test.tags.includes(longTag)) {
      left += 1;
    } else if (outcome.state === 'skipped') {
      skipped.push(`${test.fullName}: ${outcome.note ?? 'no reason given'}`);
    } else {
      failed.push(`${file}: ${test.fullName}: ${firstLines(outcome.errors?.[0]?.message ?? '')}`);
    }
  }
  return { project: module.project.name, file, passed, failed, outside: [], skipped, left, unsteady };
}

/** What a message begins with; some carry the whole output of a program. */
function firstLines(message: string): string {
  const [start = ''] = message.match(/^(?:.*\n?){0,3}/) ?? [];
  return start.trimEnd().slice(0, 400);
}
