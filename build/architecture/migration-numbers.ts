const folder = 'server/platform/database/migrations/';
/** Numbers of migrations removed before release (`server/platform/database/migrations.ts`). */
const dropped = [10, 14];

/**
 * Problems in the numbering of the migrations among these files. Duplicate numbers fail at startup, and a migration
 * that fills a gap later would be skipped by databases already past it.
 */
export function migrationFaults(paths: readonly string[]): string[] {
  const files = paths.filter((path) => path.startsWith(folder)).sort();
  const numbers = files.map((path) => Number(path.slice(folder.length, folder.length + 4)));
  let next = 1;
  for (const [index, number] of numbers.entries()) {
    while (dropped.includes(next)) next += 1;
    if (number !== next)
      return [`${files[index]}:1 migrations are numbered in order: call it ${nameOf(next)}`];
    next += 1;
  }
  return [];
}

function nameOf(number: number): string {
  return `${String(number).padStart(4, '0')}-….sql`;
}
