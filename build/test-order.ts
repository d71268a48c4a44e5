import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Run in one group: the first keep the processor busy, the others wait for time limits most of the time. */
const mixedProjects = ['e2e', 'faults'];

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
      mixedProjects.map((name) => sorted.filter(({ project }) => project.name === name)),
    );
    return [...sorted.slice(0, first), ...mixed, ...sorted.slice(first).filter((file) => !isMixed(file))];
  }
}

/** All items, each list in its own order and as far along as the others. */
export function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
