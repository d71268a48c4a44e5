import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runScript } from './processes.ts';

/** Written by a build that went through; its age is the age of everything below `out/`. */
export const stampFile = join(projectRoot, 'out', 'built-at');

const sources = ['main', 'preload', 'renderer', 'server', 'build', 'electron.vite.config.ts', 'package.json'];

/** Whether any source, or a folder that lost or gained one, is newer than the last whole build. */
export function isBuildStale(): boolean {
  const built = modifiedAt(stampFile);
  return sources.some((source) => newestBelow(join(projectRoot, source)) > built);
}

/**
 * Builds when the build is missing or stale, quietly but for one line, so that what runs is what is written.
 * Returns the exit code of the build, 0 when there was nothing to do.
 */
export async function ensureBuilt(): Promise<number> {
  if (!isBuildStale()) return 0;
  process.stderr.write('Building Waypost (the sources are newer than the last build)…\n');
  return runScript('build/build.ts', ['--quiet'], { stdio: ['ignore', 2, 2] });
}

/** The newest modification below a path in milliseconds, 0 when there is nothing. */
function newestBelow(path: string): number {
  let newest = modifiedAt(path);
  for (const entry of entriesOf(path)) {
    // Generated below renderer/ by the build itself.
    if (entry.name === 'node_modules' || entry.name === 'components.d.ts') continue;
    newest = Math.max(newest, newestBelow(join(path, entry.name)));
  }
  return newest;
}

function entriesOf(path: string): Dirent[] {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path, { withFileTypes: true })
    : [];
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
