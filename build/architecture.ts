import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circlesOf } from './architecture/circles.ts';
import { doorRules } from './architecture/door-rules.ts';
import { importRules } from './architecture/import-rules.ts';
import { migrationFaults } from './architecture/migration-numbers.ts';
import { nameRules } from './architecture/name-rules.ts';
import { isProduct, type Rule } from './architecture/rule.ts';
import { parseSource, type Source } from './architecture/source.ts';
import { boundValues } from './architecture/sql-rule.ts';
import { projectRoot } from './processes.ts';

/** All machine-checkable rules of ARCHITECTURE.md; test/architecture.test.ts proves that each can fail. */
export const rules: Rule[] = [...importRules, ...doorRules, boundValues, ...nameRules];

const folders = ['main', 'preload', 'renderer', 'server', 'test', 'build'];

/** Rule violations in one file, as `path:line rule: what to do`. */
export function violationsOf(path: string, text: string): string[] {
  return violationsIn(parseSource(path, text));
}

/** Rule violations in the whole project; empty if there are none. */
export function violations(): string[] {
  const sources = sourceFiles().map((path) =>
    parseSource(path, readFileSync(join(projectRoot, path), 'utf8')),
  );
  const circles = circlesOf(sources.filter(({ path }) => isProduct(path)));
  return [
    ...sources.flatMap(violationsIn),
    ...circles.map((circle) => `${circle[0]}:1 no circle of imports: ${circle.join(' ↔ ')}`),
    ...migrationFaults(sources.map(({ path }) => path)),
  ];
}

function violationsIn(source: Source): string[] {
  return rules.flatMap(({ name, check }) =>
    check(source).map(({ line, message }) => `${source.path}:${line} ${name}: ${message}`),
  );
}

function sourceFiles(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter(
        (path) =>
          /\.(ts|vue|css|sql|html)$/.test(path) && !/(^|\/)node_modules\/|\/components\.d\.ts$/.test(path),
      ),
  );
}

if (import.meta.main) {
  const found = violations();
  for (const violation of found) process.stderr.write(`${violation}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
