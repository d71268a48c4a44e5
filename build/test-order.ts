import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tag of tests that run only in `npm run test:faults`: `test('…', { tags: 'long' }, …)`. */
export const longTag = 'long';

/** Whether a test file's text uses features that only run at full length. */
export function hasLongForm(text: string): boolean {
  return /tags: 'long'|inject\('isLong'\)|\/support\/trials\.ts'|\bexpectAccessible\b/.test(text);
}

/**
 * Run side by side: one keeps the processor busy, the others wait for the disk or for time limits half of the time. All
 * of them have a worker for each file. A project whose files share workers would lose one wherever a file of another
 * one comes next.
 */
const mixedProjects = ['package', 'main', 'faults'];

/**
 * Files that take long, however short some of them are: vitest goes by the size of a file that it has not seen run yet.
 * The first five begin together, so only one of them needs the template of the desktop, for which others would wait.
 */
export const slowFiles = [
  'test/e2e/desktop-system-end.test.ts',
  'test/e2e/desktop-saving.test.ts',
  'test/e2e/desktop-first-run.test.ts',
  'test/e2e/team-from-nothing.test.ts',
  'test/e2e/fleet.test.ts',
  'test/e2e/hostile-instance.exploit.test.ts',
  'test/e2e/desktop-repair.test.ts',
  'test/e2e/teams.test.ts',
  'test/e2e/links.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/desktop-page.test.ts',
  'test/e2e/desktop-instances.test.ts',
  'test/e2e/desktop-start.test.ts',
  'test/e2e/desktop-disk.test.ts',
  'test/e2e/desktop-systems.test.ts',
  'test/e2e/desktop-development.test.ts',
  'test/faults/openapi-fuzz.test.ts',
  'test/faults/restore-killed.test.ts',
  'test/faults/power-loss.test.ts',
  'test/faults/backups.test.ts',
  'test/faults/kill-nine.test.ts',
  'test/faults/fleet-kill-nine.test.ts',
  'test/faults/migration.test.ts',
  'test/faults/raw-connections.test.ts',
  'test/faults/large-file.test.ts',
  'test/faults/command-line.test.ts',
  'test/faults/full-disk.test.ts',
];

/**
 * Vitest's order (slowest files first), but interleaving the projects of a group. Vitest would run one project after
 * the other, leaving the CPU first overloaded and then idle.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = slowFirst(await super.sort(files), ({ moduleId }) => moduleId);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    const mixed = interleaved(mixedProjects.map((name) => projects.get(name) ?? []));
    const others = [...projects].flatMap(([name, own]) => (mixedProjects.includes(name) ? [] : own));
    return [...mixed, ...others];
  }
}

/** The files that are known to be slow, in the order of `slowFiles`, then the others in theirs. */
export function slowFirst<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  const slow = slowFiles.flatMap((file) => items.filter((item) => pathOf(item).endsWith(file)));
  return [...slow, ...items.filter((item) => !slow.includes(item))];
}

/** Merges lists proportionally, keeping the order of each. */
export function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
