import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The tag of tests that run only in `npm run test:faults`: `test('…', { tags: 'long' }, …)`. */
export const longTag = 'long';

/** Whether a file does more at full length than in `npm test`, by its text. */
export function hasLongForm(text: string): boolean {
  return /tags: 'long'|inject\('isLong'\)|\/support\/trials\.ts'|\bexpectAccessible\b/.test(text);
}

/** Run in one group: the first keep the processor busy, the others wait for time limits most of the time. */
const mixedProjects = ['e2e', 'faults'];

/**
 * Short files that take long: vitest goes by the size of a file that it has not seen run yet, and would run them last.
 */
export const slowFiles = [
  'test/e2e/desktop-systems.test.ts',
  'test/e2e/hostile-instance.exploit.test.ts',
  'test/e2e/desktop-disk.test.ts',
  'test/e2e/desktop-repair.test.ts',
  'test/e2e/desktop-start.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/desktop-development.test.ts',
  'test/e2e/desktop-instances.test.ts',
  'test/faults/migration.test.ts',
  'test/faults/raw-connections.test.ts',
  'test/faults/restore-killed.test.ts',
  'test/faults/command-line.test.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/openapi-fuzz.test.ts',
];

/**
 * Vitest's order, the longest files first, but for one thing: it would begin the files of one project when those of the
 * other are done, and the processor would first be short and then idle.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isMixed = ({ project }: TestSpecification) => mixedProjects.includes(project.name);
    const first = sorted.findIndex(isMixed);
    if (first === -1) return sorted;
    const mixed = interleaved(
      mixedProjects.map((name) =>
        slowFirst(
          sorted.filter(({ project }) => project.name === name),
          ({ moduleId }) => moduleId,
        ),
      ),
    );
    return [...sorted.slice(0, first), ...mixed, ...sorted.slice(first).filter((file) => !isMixed(file))];
  }
}

/** The files that are known to be slow, then the others, each in their order. */
export function slowFirst<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  const isSlow = (item: Item) => slowFiles.some((file) => pathOf(item).endsWith(file));
  return [...items.filter(isSlow), ...items.filter((item) => !isSlow(item))];
}

/** All items, each list in its own order and as far along as the others. */
export function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
