import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { apiClient, type Call } from '../../renderer/api/client.ts';
import { browserTransport } from '../../renderer/api/transport.ts';
import { createApp } from '../../server/app.ts';
import { setUp, signIn } from '../../server/contract/sessions.ts';
import type { Network } from '../../server/network/sharing/module.ts';
import type { App } from '../../server/operations/app-interface.ts';
import type { StartFleet } from '../../server/platform/config.ts';
import { migrations } from '../../server/platform/database/migrations.ts';
import { type Databases, openDatabases } from '../../server/platform/database/open.ts';
import { rejected } from '../../server/platform/errors.ts';
import type { Fetcher } from '../../server/platform/fetcher/fetcher.ts';
import { connections } from '../../server/platform/http/connections.ts';
import { type ListenBounds, type Listening, listen } from '../../server/platform/http/listen.ts';
import type { PartialSettings } from '../../server/platform/settings/merge.ts';
import { type Geolocation, geolocation } from '../../server/visits/redirects/geolocation.ts';
import type { AnswersFor } from '../../server/visits/redirects/redirect-path.ts';
import { seededIntegers, type TestClock, testClock } from './clock.ts';
import { writeMigratedDatabase } from './migrated-database.ts';

/** The response to a plain HTTP request. */
export interface RawReply {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
  body: any;
}

export interface TestApp {
  app: App;
  origin: string;
  port: number;
  /** 0 when there is no HTTPS. */
  httpsPort: number;
  folder: string;
  databases: Databases;
  clock: TestClock;
  /** The API key of the administrator (primary, 30 requests a minute). */
  key: string;
  /** The renderer's own client, signed in as the administrator (600 requests a minute). */
  call: Call;
  /** The renderer's client with another token. */
  clientFor(token: string): Call;
  /** A plain request; `key` undefined uses the administrator's session, null sends none. */
  request(method: string, path: string, options?: RequestOptions): Promise<RawReply>;
  /** What its listeners share. */
  bounds: ListenBounds;
  /** Lines of the server's log. */
  logLines(): string[];
  close(): Promise<void>;
}

interface RequestOptions {
  key?: string | null;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
}

export interface StartOptions {
  clock?: TestClock;
  ratelimit?: number;
  trustedProxies?: string[];
  uncountedAddresses?: string[];
  baseUrl?: string;
  timezone?: string;
  /** Settings given at the start. */
  settings?: PartialSettings;
  /** Replaces the network for fetching pictures and checking pages; omitted methods reach nothing. */
  fetcher?: Partial<Fetcher>;
  /** Serves for another machine, like an edge. */
  answersFor?: AnswersFor;
  /** Reuses a data folder, for tests of a restart. */
  folder?: string;
  /** Leaves the instance without an account. */
  fresh?: boolean;
  /** Runs as if the desktop app had started it. */
  desktop?: boolean;
  maxUploadMb?: number;
  freeBytes?: () => Promise<number>;
  /** Interval between two checks of the disk in milliseconds; never by default. */
  spaceLookMs?: number;
  /** The reported state of the data folder's disk. */
  diskBytes?: () => { free: number; total: number };
  /** Milliseconds in which a whole request must have arrived. */
  requestMs?: number;
  /** Milliseconds for a certificate's whole order. */
  orderMs?: number;
  /** Timeout of each of the two DNS queries, in milliseconds. */
  nameMs?: number;
  /** Called when the server wants to restart; the test then closes it and starts another one on the folder. */
  restart?: () => void;
  /** log2 of the cost of password hashes; minimal by default. */
  passwordCost?: number;
  /** The geolocation database, shared by all tests; null for the server's default. */
  geolocation?: Geolocation | null;
  /** Compiles every statement at the start, which fails if one is invalid. */
  compilesAll?: boolean;
  /** Certificate authorities trusted for mail servers. */
  mailAuthorities?: string;
  /** How long stopping waits for a mail server, in milliseconds. */
  mailLastMs?: number;
  /** The password for the mail server, given at the start. */
  mailPassword?: string;
  /** The engine of a fleet, given at the start. */
  fleet?: StartFleet;
  /** The machine's network interfaces. */
  network?: Network;
  /** The addresses to listen on; 127.0.0.1 by default. */
  hosts?: string[];
  /** Also listens for HTTPS, on a free port. */
  https?: boolean;
}

const noNetwork: Fetcher = {
  get: (_url, { field }) => Promise.reject(rejected('unreachable_url', field, 'There is no network here.')),
  look: async () => undefined,
  check: async () => undefined,
  probe: async () => undefined,
  post: async () => undefined,
  exchange: () => Promise.reject(rejected('unreachable_url', undefined, 'There is no network here.')),
};

/** Shared by all servers of this process: each would read eight megabytes at its start. */
const places = geolocation();

/** A small disk: each server reserves a part of it, and writing 8 MB takes longer than most tests. */
const smallDisk = { free: 10 * 2 ** 20, total: 10 * 2 ** 20 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  writeMigratedDatabase(folder);
  return folder;
}

const isUnused = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** The set-up code that the server prints. */
export const setupCode = 'SETUPCODE';

export const administrator = {
  email: 'anna@example.com',
  username: 'anna',
  password: 'correct horse',
  name: 'Anna Berg',
};

/**
 * Starts the real app in this process, on a free loopback port, with a real database in a temporary folder, and sets it
 * up by default. Replies that violate the contract fail their request.
 */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? testClock();
  const folder = options.folder ?? newFolder();
  if (options.folder !== undefined && isUnused(folder)) writeMigratedDatabase(folder);
  const lines: string[] = [];
  const databases = openDatabases({ folder, migrations, newId: randomUUID, now: clock.now });
  if (options.compilesAll) {
    for (const connection of [databases.main, databases.clicks])
      connection.prepare = Database.prototype.prepare;
  }
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  let listening: Listening | undefined;
  let secure: Listening | undefined;
  const app = createApp({
    config: {
      settings: {
        ...options.settings,
        ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
        ...(options.ratelimit !== undefined && { ratelimit: options.ratelimit }),
        ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
        ...(options.uncountedAddresses && {
          privacy: { uncountedAddresses: options.uncountedAddresses },
        }),
      },
      vaultKey: undefined,
      mailPassword: options.mailPassword,
      fleet: options.fleet,
      desktop: options.desktop ?? false,
      timezone: options.timezone ?? 'UTC',
    },
    databases,
    port: () => listening?.port ?? 0,
    httpsPort: () => secure?.port,
    version: '0.0.0-test',
    adminFolder: join(import.meta.dirname, '../../out/renderer'),
    setupCode,
    now: clock.now,
    monotonic: clock.monotonic,
    randomInteger: seededIntegers(),
    randomBytes,
    log,
    passwordCost: options.passwordCost ?? 4,
    lookMs: 100,
    spaceLookMs: options.spaceLookMs ?? 1_000_000_000,
    diskBytes: options.diskBytes ?? (() => smallDisk),
    orderMs: options.orderMs,
    nameMs: options.nameMs,
    checkReplies: true,
    ...(options.fetcher && { fetcher: { ...noNetwork, ...options.fetcher } }),
    ...(options.maxUploadMb !== undefined && { maxUploadMb: () => options.maxUploadMb ?? 0 }),
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
    ...(options.restart && { restart: options.restart }),
    ...(options.mailAuthorities !== undefined && { mailAuthorities: options.mailAuthorities }),
    ...(options.mailLastMs !== undefined && { mailLastMs: options.mailLastMs }),
    ...(options.network && { network: options.network }),
    ...(options.answersFor && { answersFor: options.answersFor }),
    geolocation: options.geolocation === null ? undefined : (options.geolocation ?? places),
  });
  const bounds: ListenBounds = {
    connections: connections({ trustedProxies: () => [], onArrival: app.noteArrival }),
    keylessLimit: 60,
    now: clock.now,
    log,
  };
  listening = await listen({
    hosts: options.hosts ?? ['127.0.0.1'],
    port: 0,
    handler: app.handle,
    ...bounds,
    ...(options.requestMs !== undefined && { requestMs: options.requestMs }),
  });
  if (options.https) {
    secure = await listen({
      hosts: ['127.0.0.1'],
      port: 0,
      handler: app.handle,
      certificateFor: app.certificateFor,
      onOwnCertificate: app.certificates.onOwnCertificate,
      ...bounds,
      ...(options.requestMs !== undefined && { requestMs: options.requestMs }),
    });
  }
  const origin = `http://localhost:${listening.port}`;
  const clientFor = (token: string): Call =>
    apiClient({
      transport: browserTransport(fetch, { read: () => token, write() {}, forget() {} }, origin),
      instanceId: () => 'test',
    });

  let key = '';
  let session = '';
  if (!options.fresh && app.isFresh()) {
    const made = await clientFor('')(setUp, { body: { ...administrator, setupcode: setupCode } });
    key = made.data.api_key;
  }
  if (!options.fresh) {
    const { email, password } = administrator;
    session = (await clientFor('')(signIn, { body: { login: email, password } })).data.token;
  }

  return {
    app,
    origin,
    port: listening.port,
    httpsPort: secure?.port ?? 0,
    folder,
    databases,
    clock,
    key,
    call: clientFor(session),
    clientFor,
    request: (method, path, request = {}) =>
      plainRequest(origin + path, method, {
        ...request,
        key: request.key === undefined ? session : request.key,
      }),
    bounds,
    logLines: () => lines,
    async close() {
      app.drain();
      await Promise.all([listening?.stop(0), secure?.stop(0)]);
      await app.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function plainRequest(url: string, method: string, { key, body, rawBody, headers }: RequestOptions) {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent as BodyInit }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseOrText(text) };
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page, not a document.
    return text;
  }
}
