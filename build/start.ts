import { cannotRun, mustRunUnsandboxed, provideElectron } from './electron-runtime.ts';
import { ensureBuilt } from './freshness.ts';
import { runElectron, runServer } from './processes.ts';

const args = process.argv.slice(2);

/** Options supported by the desktop app; all others are for the server. */
const ofWindow = /^--(port|data|user-data-dir|hidden|no-sandbox)(=|$)/;
const ofServer = /^--(host|https-port|log-level|geo-database|desktop)(=|$)/;
process.exitCode = (await ensureBuilt()) || (await start());

/**
 * Starts the desktop app if Electron and a display are available, else the server, whose admin pages open in a browser.
 */
async function start(): Promise<number> {
  const electron = await provideElectron();
  if ('reason' in electron) return startServer(electron.reason);

  const unheard = args.find((argument) => ofServer.test(argument) && !ofWindow.test(argument));
  if (unheard) {
    process.stderr.write(
      `The desktop app does not take ${unheard}; its server is for this computer until you share it in the settings. Use \`npm run serve -- …\`.\n`,
    );
    return 1;
  }

  const began = Date.now();
  // Some terminals set this variable, which makes Electron run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _plain, ...env } = process.env;
  const code = await runElectron(
    electron.path,
    ['.', ...(mustRunUnsandboxed() ? ['--no-sandbox'] : []), ...args],
    env,
  );
  return cannotRun(code, Date.now() - began)
    ? startServer(`Electron cannot run on this machine (exit code ${code})`)
    : code;
}

function startServer(reason: string): Promise<number> {
  process.stdout.write(
    `No window, because ${reason}: the server runs here and its pages open in a browser.\n`,
  );
  return runServer(args);
}
