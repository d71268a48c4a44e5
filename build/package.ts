import { join } from 'node:path';
import { packagerFolder, providePackager } from './packager.ts';
import { projectRoot, run, runScript } from './processes.ts';

/**
 * Builds the app and its packages with electron-builder: `npm run package -- --linux deb`. Only for the current system
 * and processor, because npm installs native modules for no other.
 */
const args = process.argv.slice(2);
const foreign = args.find((arg) => isForeign(arg));
if (foreign) {
  process.stderr.write(
    `"${foreign}" is not this machine (${process.platform} ${process.arch}). Run this command on a machine like the one the package is for.\n`,
  );
  process.exit(2);
}
const built = await runScript('build/build.ts', ['--quiet'], { stdio: 'inherit' });
if (built !== 0) process.exit(built);
await providePackager();
process.exit(
  await run(process.execPath, [
    join(packagerFolder, 'node_modules', 'electron-builder', 'cli.js'),
    '--projectDir',
    projectRoot,
    '--config',
    'build/electron-builder.yml',
    '--publish',
    'never',
    ...args,
  ]),
);

/** Whether an electron-builder option selects another system or processor. */
function isForeign(arg: string): boolean {
  const platforms: Record<string, NodeJS.Platform> = {
    '--linux': 'linux',
    '-l': 'linux',
    '--mac': 'darwin',
    '-m': 'darwin',
    '--macos': 'darwin',
    '-o': 'darwin',
    '--win': 'win32',
    '-w': 'win32',
    '--windows': 'win32',
  };
  const wanted = platforms[arg];
  if (wanted) return wanted !== process.platform;
  const processor = /^--(x64|ia32|armv7l|arm64|universal)$/.exec(arg)?.[1];
  return processor !== undefined && processor !== process.arch;
}
