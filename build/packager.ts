import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, run } from './processes.ts';

/** The folder of the packager's own package.json and lockfile. */
export const packagerFolder = join(projectRoot, 'build', 'packager');

/**
 * Installs electron-builder if it is missing or its lockfile has changed. It has its own lockfile: users do not need
 * its three hundred packages, but packaging must be reproducible. Throws an error with a readable message on failure.
 */
export async function providePackager(): Promise<void> {
  if (isInstalled()) return;
  process.stderr.write('Installing electron-builder (about 90 MB, once)…\n');
  const code = await runNpm(['ci'], packagerFolder);
  if (code !== 0) throw new Error(`electron-builder could not be installed (npm ci ended with ${code}).`);
}

/** Compares lockfiles: npm leaves a copy after a successful installation. */
function isInstalled(): boolean {
  const installed = join(packagerFolder, 'node_modules', '.package-lock.json');
  return (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(packagerFolder, 'package-lock.json')).mtimeMs
  );
}

/**
 * Runs npm with the current Node and returns its exit code. Uses npm's script path if npm started us, because on
 * Windows `npm` cannot be spawned.
 */
export function runNpm(args: string[], cwd = projectRoot): Promise<number> {
  const script = process.env.npm_execpath;
  const output: ['ignore', 2, 2] = ['ignore', 2, 2];
  return script
    ? run(process.execPath, [script, ...args], { cwd, stdio: output })
    : run('npm', args, { cwd, stdio: output, shell: process.platform === 'win32' });
}
