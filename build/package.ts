import { spawnSync } from 'node:child_process';
import { runScript } from './processes.ts';

/**
 * Builds, and makes the packages of this system with electron-builder: `npm run package -- --linux deb`. It is fetched
 * when it is asked for: no user and no test needs its three hundred packages.
 */
const builder = 'electron-builder@26.17.0';

const built = await runScript('build/build.ts', ['--quiet'], { stdio: 'inherit' });
if (built !== 0) process.exit(built);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const options = ['--config', 'build/electron-builder.yml', '--publish', 'never'];
const { status } = spawnSync(
  npm,
  ['exec', '--yes', `--package=${builder}`, '--', 'electron-builder', ...options, ...process.argv.slice(2)],
  { stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exit(status ?? 1);
