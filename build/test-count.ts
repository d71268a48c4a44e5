import { relative } from 'node:path';
import type { TestModule, Vitest } from 'vitest/node';
import { longTag } from './test-order.ts';

/** Results of a test file. */
export interface FileCount {
  readonly project: string;
  /** Relative to the project root; empty for errors that belong to no file. */
  readonly file: string;
  readonly passed: number;
  /** Names and reasons of failures, because often only the end of a long log is kept. */
  readonly failed: readonly string[];
  /** The entries of `failed` that happened outside of tests. */
  readonly outside: readonly string[];
  readonly skipped: readonly string[];
  /** Number of tests that run only at full length. */
  readonly left: number;
  /** Flaky tests (failed once, passed on retry), with the reason. */
  readonly unsteady: readonly string[];
}

/** If more files fail than this, they are not rerun. */
const mostFiles = 4;

/**
 * The files to rerun. A retried test may fail because of data from its first attempt on the file's server, such as a
 * name already taken; a rerun file starts with fresh servers. Files with errors outside of tests are not rerun: such
 * errors are not reproducible, so passing proves nothing.
 */
export function triedAgain(files: readonly FileCount[]): FileCount[] {
  const failed = files.filter((file) => file.failed.length > 0);
  const isAccident = failed.length <= mostFiles && failed.every(({ file }) => file !== '');
  return isAccident ? failed.filter(({ outside }) => outside.length === 0) : [];
}

/** Merges the results of both runs; a test that failed first and passed in the rerun is flaky. */
export function withSecondTries(first: readonly FileCount[], second: readonly FileCount[]): FileCount[] {
  const isSame = (one: FileCount, other: FileCount) =>
    one.project === other.project && one.file === other.file;
  const again = triedAgain(first);
  return [
    ...first.map((file) => {
      const later = again.includes(file) && second.find((each) => isSame(each, file));
      if (!later || later.failed.length > 0 || later.passed < file.passed) return file;
      // A test that failed and was then skipped has not passed.
      if (later.skipped.length > file.skipped.length) return file;
      return { ...later, unsteady: [...file.unsteady, ...file.failed, ...later.unsteady] };
    }),
    // Errors that belong to no file always count.
    ...second.filter((later) => later.failed.length > 0 && !first.some((file) => isSame(file, later))),
  ];
}

/** Collects the results; errors in files, hooks and outside of tests count as failures. */
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

/** The first lines of a message; some contain the entire output of a program. */
function firstLines(message: string): string {
  const [start = ''] = message.match(/^(?:.*\n?){0,3}/) ?? [];
  return start.trimEnd().slice(0, 400);
}
