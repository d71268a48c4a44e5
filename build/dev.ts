import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveConfig } from 'electron-vite';
import { build, createServer, mergeConfig, type UserConfig } from 'vite';
import { writeComponentTypes } from './component-types.ts';
import { mustRunUnsandboxed, provideElectron } from './electron-runtime.ts';
import { freePort } from './free-port.ts';
import { stampFile } from './freshness.ts';
import { couldNotRun, oneAtATime } from './one-electron.ts';
import { drawPictures } from './pictures.ts';
import { projectRoot, runTool, serverEnvironment, serverFlags } from './processes.ts';

// `npm run dev`: runs from source and reloads on change. Without Electron, runs only the server with the arguments of
// `npm run serve`, and Vite serves the pages to a browser.
const args = process.argv.slice(2);
// From now on, out/ is not a complete build.
rmSync(stampFile, { force: true });
await writeComponentTypes();
const electron = await provideElectron();
if ('path' in electron) {
  // electron-vite does not generate the icons, and without them there is no tray icon.
  await drawPictures(join(projectRoot, 'out', 'pictures'));
  // Some terminals set this variable, which makes Electron run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _plain, ...env } = process.env;
  const sandbox = mustRunUnsandboxed() ? ['--noSandbox'] : [];
  const code = await runTool(
    'electron-vite/bin/electron-vite.js',
    // Arguments after `--` are passed to the app.
    ['dev', '--watch', ...sandbox, '--', ...args],
    { env: { ...env, ...oneAtATime(electron.path), WAYPOST_SOURCE_PORT: String(await freePort()) } },
  );
  if (couldNotRun(code)) await serveSources(`Electron cannot run on this machine (exit code ${code})`);
  else process.exitCode = code;
} else {
  await serveSources(electron.reason);
}

async function serveSources(reason: string): Promise<void> {
  const { config } = await resolveConfig({ logLevel: 'warn' }, 'serve', 'development');
  if (!config?.main || !config.renderer) throw new Error('electron.vite.config.ts lost main or renderer.');

  const { values } = parseArgs({ args, options: { port: { type: 'string' } }, strict: false });
  const server = `http://127.0.0.1:${values.port ?? 8420}`;
  const pages = await createServer(
    mergeConfig(config.renderer as UserConfig, { server: { proxy: proxyTo(server) } }),
  );
  await pages.listen();
  process.stdout.write(
    `No window, because ${reason}: the server runs at ${server}, its pages at ${pages.resolvedUrls?.local[0]}.\n`,
  );

  const restart = restarter();
  const onChange = { name: 'waypost:restart', closeBundle: restart };
  await build(mergeConfig(config.main as UserConfig, { plugins: [onChange], build: { watch: {} } }));
}

/** Proxies API requests and rewrites their origin, because the server only accepts its own host name and origin. */
function proxyTo(server: string): NonNullable<NonNullable<UserConfig['server']>['proxy']> {
  const target = { target: server, changeOrigin: true, headers: { origin: server } };
  return { '/api': target };
}

/** Returns a function that starts the server, stopping the previous one first. */
function restarter(): () => Promise<void> {
  let server: ChildProcess | undefined;
  let isEnding = false;
  // Vite's handler would exit this process before the server has stopped.
  process.removeAllListeners('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      isEnding = true;
      await stop(server);
      process.exit(0);
    });
  }
  return async () => {
    await stop(server);
    // Do not start a server that would outlive the command.
    if (isEnding) return;
    server = spawn(process.execPath, [...serverFlags, 'out/main/server.js', ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...serverEnvironment },
      stdio: 'inherit',
    });
    server.once('exit', (code) => {
      if (code)
        process.stderr.write(`The server ended (exit code ${code}). Save a change to start it again.\n`);
    });
  };
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}
