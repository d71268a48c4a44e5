import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveConfig } from 'electron-vite';
import { build, createServer, mergeConfig, type UserConfig } from 'vite';
import { writeComponentTypes } from './component-types.ts';
import { couldNotRun, oneAtATime } from './electron-in-turn.ts';
import { mustRunUnsandboxed, provideElectron } from './electron-runtime.ts';
import { freePort } from './free-port.ts';
import { stampFile } from './freshness.ts';
import { drawPictures } from './pictures.ts';
import { projectRoot, runTool, serverFlags } from './processes.ts';

// `npm run dev`: everything from source, rebuilt and reloaded on change. Without Electron the server runs alone,
// with the arguments of `npm run serve`, and Vite serves the pages to a browser.
const args = process.argv.slice(2);
// What is in out/ from now on is no whole build.
rmSync(stampFile, { force: true });
await writeComponentTypes();
const electron = await provideElectron();
if ('path' in electron) {
  // electron-vite builds everything but these, and without them there is no tray.
  await drawPictures(join(projectRoot, 'out', 'pictures'));
  // Set by some terminals, this would make Electron a plain Node.
  const { ELECTRON_RUN_AS_NODE: _plain, ...env } = process.env;
  const sandbox = mustRunUnsandboxed() ? ['--noSandbox'] : [];
  const code = await runTool(
    'electron-vite/bin/electron-vite.js',
    // What comes after `--` is for the app.
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

/** The API as the page's own origin: the server answers to its own name only, and to no other page. */
function proxyTo(server: string): NonNullable<NonNullable<UserConfig['server']>['proxy']> {
  const target = { target: server, changeOrigin: true, headers: { origin: server } };
  return { '/api': target };
}

/** A function that starts the server, after stopping the one that it started before. */
function restarter(): () => Promise<void> {
  let server: ChildProcess | undefined;
  let isEnding = false;
  // Vite's own would end this process before the server has ended.
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
    // Whoever ended the command meanwhile would leave behind what is started now.
    if (isEnding) return;
    server = spawn(process.execPath, [...serverFlags, 'out/main/server.js', ...args], {
      cwd: projectRoot,
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
