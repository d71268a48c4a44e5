import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, Section } from './section.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'rows');

export interface Gap {
  section: string;
  row: string;
  problem: string;
  /** Whether the section claims to be complete. */
  closed: boolean;
}

/** Every file of `rows/`; each exports `section`. */
export async function readSections(): Promise<Section[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    files.sort().map((name) => import(join(folder, name)) as Promise<{ section: Section }>),
  );
  return modules.map((module) => module.section);
}

/** Rows without a test, with a test that does not exist, and ids that were given twice. */
export function gapsOf(sections: readonly Section[]): Gap[] {
  const ids = new Set<string>();
  return sections.flatMap(({ name, closed, rows }) =>
    rows.flatMap((row) => {
      const problems = problemsOf(row);
      if (ids.has(row.id)) problems.push('this id is used twice');
      ids.add(row.id);
      return problems.map((problem) => ({ section: name, row: `${row.id}: ${row.rule}`, problem, closed }));
    }),
  );
}

function problemsOf({ tests }: Row): string[] {
  if (tests.length === 0) return ['no test covers this'];
  return tests.flatMap(({ file, title }) => {
    if (!existsSync(join(root, file))) return [`${file} does not exist`];
    return titlesOf(file).has(title) ? [] : [`${file} has no test "${title}"`];
  });
}

const known = new Map<string, Set<string>>();

/** The titles of a test file, as its source writes them; a title with %s stands for all of its cases. */
function titlesOf(file: string): Set<string> {
  let titles = known.get(file);
  if (!titles) {
    const source = readFileSync(join(root, file), 'utf8');
    // The first text after an opening bracket at the start of a call: test('…', test.each(…)('…', …
    const calls = source.matchAll(/(?:\btest\(|\)\()\s*(?:'((?:[^'\\]|\\.)+)'|"([^"]+)"|`([^`]+)`)/g);
    titles = new Set([...calls].map((call) => (call[1] ?? call[2] ?? call[3] ?? '').replaceAll("\\'", "'")));
    known.set(file, titles);
  }
  return titles;
}
