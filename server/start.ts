import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { isIPv4 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { version } from '../package.json';
import { createApp } from './app.ts';
import { createEdge } from './network/fleet/edge.ts';
import { edgeAddresses } from './network/fleet/edge-addresses.ts';
import { readAddresses } from './network/fleet/engine.ts';
import { JoinRefused, joinFleet } from './network/fleet/join.ts';
import type { Membership } from './network/fleet/membership.ts';
import { mdnsDiscovery } from './network/sharing/discovery.ts';
import { networkAddresses } from './network/sharing/network-addresses.ts';
import type { App, AppOptions } from './operations/app-interface.ts';
import { backupStore } from './operations/backup/store.ts';
import { isCommand, runCommand } from './operations/commands/run.ts';
import { type Config, ConfigRefused, helpText, readConfig } from './platform/config.ts';
import { type FolderLock, lockFolder } from './platform/database/lock.ts';
import { migrations } from './platform/database/migrations.ts';
import { type Databases, openDatabases } from './platform/database/open.ts';
import { makeFolder } from './platform/database/places.ts';
import { DatabaseRefused } from './platform/database/refused.ts';
import { connections } from './platform/http/connections.ts';
import { type ListenBounds, type Listening, listen, PortTaken } from './platform/http/listen.ts';
import { budgets } from './platform/http/request-limits.ts';
import { logDestination } from './platform/log-destination.ts';
import { type Geolocation, geolocationFrom } from './visits/redirects/geolocation.ts';

/** Exit codes (decision 0053). */
const exitCodes = {
  failed: 1,
  wrong_options: 2,
  data_in_use: 3,
  port_taken: 4,
  data_unwritable: 77,
  database_damaged: 78,
  database_newer: 78,
} as const;
type FailureCode = keyof typeof exitCodes;

/** How many further ports the desktop app tries when the wanted one is taken. */
const portsToTry = 20;
const graceMs = 10_000;
/** A new start waits less for clients that are slow: they find the same address again. */
const restartGraceMs = 3_000;

/** Messages to the process that forked this one, if one did (the desktop app). */
type Announcement =
  | { type: 'listening'; origin: string; port: number; instanceId: string; setup: boolean }
  | { type: 'failed'; code: FailureCode; message: string };

interface ParentPort {
  postMessage(message: Announcement): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

// Present in a utility process of Electron only; this program knows nothing else of it.
const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;

/** Runs the command that the arguments name; sets the exit code and returns when there is nothing left to do. */
export async function start(args: string[]): Promise<void> {
  // What this process writes (database, keys, uploads) is for its user alone.
  process.umask(0o077);
  // Of the threads that are started from now on: what they make is short-lived, and each would keep 30 MB more for it.
  setFlagsFromString('--max-semi-space-size=4');
  const [name, ...rest] = args;
  if (isCommand(name)) {
    letReadersLeave();
    process.exitCode = await runCommand(name, rest, commandApp);
    return;
  }
  let config: Config;
  let places: Geolocation | undefined;
  try {
    config = readConfig(args);
    if (config.fleet && !readAddresses(config.fleet.url)) {
      throw new ConfigRefused(
        '--fleet takes addresses such as nats://engine.example.com:4222, without a user in them.',
      );
    }
    if (config.command === 'serve' || config.command === 'edge') places = placesOf(config);
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    fail('wrong_options', error.message);
    return;
  }
  if (config.command === 'help') process.stdout.write(helpText);
  else if (config.command === 'version') process.stdout.write(`${version}\n`);
  else if (config.command === 'edge') await serveEdge(config, places);
  else if (config.command === 'seed') await withDatabases(config, seedExample);
  else await withDatabases(config, (_config, databases) => serve(config, databases, places));
}

/**
 * A reader of a pipe that has seen enough (`check | head -1`) is not a failure: what is written after that goes
 * nowhere.
 */
function letReadersLeave(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

async function withDatabases(config: Config, run: (config: Config, databases: Databases) => Promise<void>) {
  let databases: Databases;
  try {
    databases = openDatabases({ folder: config.data, migrations, newId: randomUUID, now: Date.now });
  } catch (error) {
    if (error instanceof DatabaseRefused) fail(error.code, await withWayOut(error, config));
    else fail('failed', `The data folder ${config.data} cannot be opened: ${(error as Error).message}`);
    return;
  }
  try {
    await run(config, databases);
  } catch (error) {
    // What is in the folder and cannot be read, mostly. The stack is for whoever looks into the log.
    process.stderr.write(`${(error as Error).stack}\n`);
    fail('failed', `The server could not start: ${(error as Error).message}`);
    if (!parentPort) process.exit();
  }
}

/** Of a database that is damaged, the message names the newest backup that was checked (F-06). */
async function withWayOut({ code, message }: DatabaseRefused, config: Config): Promise<string> {
  if (code !== 'database_damaged') return message;
  const kept = await backupStore(config.settings.backup?.folder ?? join(config.data, 'backups')).list();
  const good = kept.find(({ problem, facts }) => problem === null && facts?.checkedAt != null);
  if (!good) return message;
  return `${message}\nThe newest backup that was checked: ${good.path}\nwaypost restore ${good.path} --data ${config.data} puts it in place.`;
}

/** The places that the administrator brings, if any. Throws ConfigRefused. */
function placesOf({ geoDatabase }: Config): Geolocation | undefined {
  if (geoDatabase === undefined) return undefined;
  try {
    return geolocationFrom(geoDatabase);
  } catch (error) {
    throw new ConfigRefused(`--geo-database: ${(error as Error).message}`);
  }
}

async function serve(config: Config, databases: Databases, geolocation?: Geolocation): Promise<void> {
  const log = pino({ level: config.logLevel, redact }, logDestination(2));
  const setupCode = randomBytes(5).toString('hex').toUpperCase();
  let listening: Listening | undefined;
  let secure: Listening | undefined;
  const app = appOf(config, databases, log, setupCode, {
    port: () => listening?.port ?? config.port,
    httpsPort: () => secure?.port,
    geolocation,
    restart: () => void restart(),
    network: {
      addresses: () => networkAddresses(networkInterfaces()),
      hostName: hostname().split('.', 1)[0] ?? 'waypost',
      bound: () => listening?.addresses ?? [],
      listenOn: (address, handler) => listenAt([address], listening?.port ?? config.port, handler, bounds),
      securelyBound: () => secure?.addresses ?? [],
      listenSecurelyOn: (address, port, handler) =>
        listenSecurely([address], port, handler, bounds, app, app.certificates.onNetworkCertificate),
      discovery: mdnsDiscovery({
        addresses: () => networkAddresses(networkInterfaces()).filter((address) => isIPv4(address)),
        onError: (err) => log.warn({ err }, 'mDNS announcement failed'),
      }),
    },
  });
  const bounds: ListenBounds = {
    connections: connections({
      trustedProxies: () => app.settings().trustedProxies,
      onArrival: app.noteArrival,
    }),
    keylessLimit: budgets.keyless,
    now: Date.now,
    log,
  };
  const stop = stopping(app, () =>
    (secure ? [listening, secure] : [listening]).flatMap((each) => each ?? []),
  );
  /** Begins anew in this process, on the same ports: a restored backup takes its place while nothing is open. */
  async function restart(): Promise<void> {
    const ports = { port: listening?.port ?? config.port, httpsPort: secure?.port ?? config.httpsPort };
    // The response is sent first.
    if (!(await stop(restartGraceMs))) return;
    await withDatabases({ ...config, ...ports }, serve);
  }
  try {
    listening = await listenOn(config, app, bounds);
    if (config.httpsPort !== undefined) {
      const { onOwnCertificate } = app.certificates;
      secure = await listenSecurely(
        config.hosts,
        config.httpsPort,
        app.handle,
        bounds,
        app,
        onOwnCertificate,
      );
    }
  } catch (error) {
    await listening?.stop(0);
    await app.close();
    fail(error instanceof PortTaken ? 'port_taken' : 'failed', (error as Error).message);
    return;
  }
  app.startJobs();
  stopOnSignals(stop, log);
  announce(databases, app, listening, setupCode);
}

/** Answers the links of a fleet: from the replica in the data folder, which the origin's changes keep up to date. */
async function serveEdge(config: Config, geolocation?: Geolocation): Promise<void> {
  const log = pino({ level: config.logLevel, redact }, logDestination(2));
  let lock: FolderLock;
  try {
    makeFolder(config.data);
    lock = lockFolder(config.data);
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    fail(error.code, error.message);
    return;
  }
  let membership: Membership;
  try {
    // With the folder in hand: a token works once, and must not be used up for a folder that another process holds.
    membership = await joinFleet({ folder: config.data, token: config.join, version, now: Date.now() });
  } catch (error) {
    lock.close();
    if (!(error instanceof JoinRefused)) throw error;
    fail('wrong_options', error.message);
    return;
  }
  let listening: Listening | undefined;
  let secure: Listening | undefined;
  const edge = await createEdge({
    createApp,
    folder: config.data,
    membership,
    version,
    settings: config.settings,
    timezone: config.timezone,
    geolocation,
    port: () => listening?.port ?? config.port,
    httpsPort: () => secure?.port,
    addresses: () =>
      edgeAddresses({
        named: config.settings.publicAddresses ?? [],
        bound: listening?.addresses ?? [],
        own: networkAddresses(networkInterfaces()),
        port: listening?.port ?? config.port,
      }),
    now: Date.now,
    log,
  });
  const proxies = config.settings.trustedProxies ?? [];
  const bounds: ListenBounds = {
    connections: connections({ trustedProxies: () => proxies, onArrival: edge.noteArrival }),
    keylessLimit: budgets.keyless,
    now: Date.now,
    log,
  };
  try {
    listening = await listenAt(config.hosts, config.port, edge.handle, bounds);
    if (config.httpsPort !== undefined) {
      const { handle: handler, certificateFor } = edge;
      secure = await listen({
        hosts: config.hosts,
        port: config.httpsPort,
        handler,
        certificateFor,
        ...bounds,
      });
    }
  } catch (error) {
    await listening?.stop(0);
    await edge.close();
    lock.close();
    fail(error instanceof PortTaken ? 'port_taken' : 'failed', (error as Error).message);
    return;
  }
  let stopped = false;
  stopOnSignals(async (grace) => {
    if (stopped) return false;
    stopped = true;
    await Promise.all([listening?.stop(grace), secure?.stop(grace)]);
    await edge.close();
    lock.close();
    return true;
  }, log);
  process.stdout.write(`Waypost edge "${membership.name}" is ready at http://localhost:${listening.port}\n`);
}

function appOf(
  config: Config,
  databases: Databases,
  log: Logger,
  setupCode: string,
  runtime: Pick<AppOptions, 'geolocation' | 'port' | 'httpsPort' | 'network' | 'restart'>,
): App {
  return createApp({
    config,
    databases,
    ...runtime,
    version,
    adminFolder: join(import.meta.dirname, '../renderer'),
    setupCode,
    now: Date.now,
    monotonic: () => performance.now(),
    randomInteger: randomInt,
    randomBytes,
    log,
  });
}

/** The app as commands use it: it listens nowhere, and only its errors are for the terminal. */
export function commandApp(config: Config, databases: Databases): App {
  const log = pino({ level: 'error' }, logDestination(2));
  return appOf(config, databases, log, '', { port: () => config.port });
}

/** Fills a fresh data folder with an example account, links and clicks, and prints how to sign in. */
async function seedExample(config: Config, databases: Databases): Promise<void> {
  const log = pino({ level: config.logLevel, redact }, logDestination(2));
  const app = appOf(config, databases, log, '', { port: () => config.port });
  try {
    if (!app.isFresh()) {
      fail('failed', `The data folder ${config.data} already holds data; name a new one with --data.`);
      return;
    }
    const password = randomBytes(9).toString('base64url');
    const example = { email: 'dana@example.com', username: 'dana', name: 'Dana Reyes', password };
    const { userId, apiKey } = await app.createAdministrator(example);
    const { seed } = await import('./operations/seed/seed.ts');
    const made = seed({ ...databases, userId, now: Date.now() });
    process.stdout.write(
      `${made.links} links and ${made.clicks} clicks are in ${config.data}.\nSign in as ${example.username} with the password ${password}\nAPI key: ${apiKey}\n`,
    );
  } finally {
    await app.close();
  }
}

/** Listens on the configured port; the desktop app goes on to the next free one, or any. */
async function listenOn(config: Config, app: App, bounds: ListenBounds): Promise<Listening> {
  const last = config.desktop ? Math.min(config.port + portsToTry, 65_535) : config.port;
  for (let port = config.port; port <= last; port += 1) {
    try {
      return await listenAt(config.hosts, port, app.handle, bounds);
    } catch (error) {
      if (!(error instanceof PortTaken && config.desktop)) throw error;
    }
  }
  // Windows keeps whole ranges of ports for itself, and Linux the low ones: nobody could start the app there.
  return listenAt(config.hosts, 0, app.handle, bounds);
}

function listenAt(
  hosts: readonly string[],
  port: number,
  handler: RequestListener,
  bounds: ListenBounds,
): Promise<Listening> {
  return listen({ hosts, port, handler, ...bounds });
}

/** HTTPS for the hosts that have a certificate; which ones those are may change at any time. */
function listenSecurely(
  hosts: readonly string[],
  port: number,
  handler: RequestListener,
  bounds: ListenBounds,
  app: App,
  onOwnCertificate: App['certificates']['onOwnCertificate'],
): Promise<Listening> {
  return listen({
    hosts,
    port,
    handler,
    certificateFor: app.certificateFor,
    onOwnCertificate,
    ...bounds,
  });
}

function announce(databases: Databases, app: App, listening: Listening, setupCode: string): void {
  const origin = `http://localhost:${listening.port}`;
  parentPort?.postMessage({
    type: 'listening',
    origin: `http://127.0.0.1:${listening.port}`,
    port: listening.port,
    instanceId: databases.instanceId,
    setup: app.isFresh(),
  });
  const pages = `${app.settings().baseUrl ?? origin}/admin/`;
  if (!app.isFresh()) {
    process.stdout.write(`Waypost is ready at ${pages}\n`);
    return;
  }
  // Behind the #, the code stays in the browser: it is in no proxy's log.
  process.stdout.write(
    `Waypost is ready at ${pages}setup#code=${setupCode}\n` +
      `Open this address to create the first account. Set-up code, which it carries: ${setupCode}\n`,
  );
}

/** Ends everything that runs, once, within the time; false when it is being ended already. */
type Stop = (graceMs: number) => Promise<boolean>;

function stopping(app: App, listening: () => Listening[]): Stop {
  let stopped = false;
  return async (grace) => {
    if (stopped) return false;
    stopped = true;
    app.drain();
    await Promise.all(listening().map((each) => each.stop(grace)));
    await app.close();
    return true;
  };
}

let listensToSignals = false;
let stopServing: Stop = async () => true;
/** The code with which to end, asked for while a new start was under way. */
let endWanted: number | undefined;

/**
 * Binds the ways in which this process is told to end; after a new start in the same process they end what runs then.
 */
function stopOnSignals(stop: Stop, log: Logger): void {
  stopServing = stop;
  const end = async (code: number) => {
    if (await stopServing(code === 0 ? graceMs : graceMs / 2)) process.exit(code);
    endWanted ??= code;
  };
  if (endWanted !== undefined) void end(endWanted);
  if (listensToSignals) return;
  listensToSignals = true;
  process.on('SIGTERM', () => void end(0));
  // Ctrl+C in a terminal reaches the desktop too, which then asks for the end when it is ready for it.
  process.on('SIGINT', () => parentPort || void end(0));
  parentPort?.on('message', ({ data }) => {
    if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'stop') void end(0);
  });
  // The state after an unexpected failure is unknown: what is under way is finished, then a fresh process is better.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    void end(exitCodes.failed);
  });
  process.on('unhandledRejection', (reason) => {
    log.fatal({ err: reason }, 'unhandled rejection');
    void end(exitCodes.failed);
  });
}

function fail(code: FailureCode, message: string): void {
  process.stderr.write(`${message}\n`);
  parentPort?.postMessage({ type: 'failed', code, message });
  process.exitCode = exitCodes[code];
  // The port to a parent keeps a process alive that has nothing left to do.
  if (parentPort) setTimeout(() => process.exit(), 100);
}

/** Nothing secret is ever logged (T-25). A bare `code` is an error's; a one-time code stands in a body. */
const redact = ['password', 'current_password', 'secret', 'api_key', 'token', 'mailerapikey']
  .flatMap((name) => [name, `*.${name}`])
  .concat('body.code', '*.headers.authorization', 'headers.authorization');
