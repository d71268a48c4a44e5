import { mustRunUnsandboxed, provideElectron } from './electron-runtime.ts';
import { ensureBuilt } from './freshness.ts';
import { run, runScript } from './processes.ts';

/** Exit codes with which Electron dies before any of our code runs: missing libraries, no usable sandbox. */
const CANNOT_START = [127, 128 + 5, 128 + 6];

/** A start that fails later than this was a start. */
const STARTED_AFTER = 5_000;

const args = process.argv.slice(2);
process.exitCode = (await ensureBuilt()) || (await start());

/** The desktop app where Electron and a display are, else the server, whose admin pages a browser shows. */
async function start(): Promise<number> {
  const electron = await provideElectron();
  if ('reason' in electron) return startServer(electron.reason);

  const began = Date.now();
  const code = await run(electron.path, ['.', ...(mustRunUnsandboxed() ? ['--no-sandbox'] : []), ...args]);
  const failedToStart = CANNOT_START.includes(code) && Date.now() - began < STARTED_AFTER;
  return failedToStart ? startServer(`Electron cannot run on this machine (exit code ${code})`) : code;
}

function startServer(reason: string): Promise<number> {
  process.stdout.write(
    `No window, because ${reason}: the server runs here and its pages open in a browser.\n`,
  );
  return runScript('out/main/server.js', args);
}
