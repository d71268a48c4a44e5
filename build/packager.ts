import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, run } from './processes.ts';

/** The folder of the packager's own package.json and lockfile. */
export const packagerFolder = join(projectRoot, 'build', 'packager');

/**
 * Installs electron-builder where it is missing or older than its lockfile. It has a lockfile apart from the project's:
 * no user needs its three hundred packages, yet what makes a package has to be the same on every machine. Throws a
 * sentence when it cannot be installed.
 */
export async function providePackager(): Promise<void> {
  if (isInstalled()) return;
  process.stderr.write('Installing electron-builder (about 90 MB, once)…\n');
  const code = await runNpm(['ci'], packagerFolder);
  if (code !== 0) throw new Error(`electron-builder could not be installed (npm ci ended with ${code}).`);
}

/** npm leaves a copy of the lockfile behind once an installation went through. */
function isInstalled(): boolean {
  const installed = join(packagerFolder, 'node_modules', '.package-lock.json');
  return (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(packagerFolder, 'package-lock.json')).mtimeMs
  );
}

/** Runs npm by the Node that runs this. Its own script where npm started us: on Windows `npm` is none to spawn. */
export function runNpm(args: string[], cwd = projectRoot): Promise<number> {
  const script = process.env.npm_execpath;
  const output: ['ignore', 2, 2] = ['ignore', 2, 2];
  return script
    ? run(process.execPath, [script, ...args], { cwd, stdio: output })
    : run('npm', args, { cwd, stdio: output, shell: process.platform === 'win32' });
}
