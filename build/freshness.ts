import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot, runScript } from './processes.ts';

/** Written by a successful build; its modification time is the age of everything in `out/`. */
export const stampFile = join(projectRoot, 'out', 'built-at');

const sources = ['main', 'preload', 'renderer', 'server', 'build', 'electron.vite.config.ts', 'package.json'];

/** No part of the bundles: written by the build itself, or installed later, by tests too, which changes its folder. */
const ignored = ['node_modules', 'components.d.ts', 'packager'];

/** Whether any source file or folder of a project is newer than its last complete build. */
export function isBuildStale(root = projectRoot): boolean {
  const built = modifiedAt(join(root, relative(projectRoot, stampFile)));
  return sources.some((source) => newestBelow(join(root, source)) > built);
}

/**
 * Builds if the build is missing or stale, printing a single line. Returns the exit code of the build, or 0 if there
 * was nothing to do.
 */
export async function ensureBuilt(): Promise<number> {
  if (!isBuildStale()) return 0;
  process.stderr.write('Building Waypost (the sources are newer than the last build)…\n');
  return runScript('build/build.ts', ['--quiet'], { stdio: ['ignore', 2, 2] });
}

/** The newest modification time below a path in milliseconds, or 0 if it does not exist. */
function newestBelow(path: string): number {
  let newest = modifiedAt(path);
  for (const entry of entriesOf(path)) {
    if (ignored.includes(entry.name)) continue;
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
