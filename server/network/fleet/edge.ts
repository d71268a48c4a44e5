import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { CoreOptions } from '../../platform/core.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { isLocal } from '../../platform/http/addresses.ts';
import { isSecure } from '../../platform/http/encryption.ts';
import { jsonHeaders } from '../../platform/http/headers.ts';
import { httpEntry } from '../../platform/http/http-entry.ts';
import { sendToHttps } from '../../platform/http/to-https.ts';
import type { PartialSettings } from '../../platform/settings/merge.ts';
import type { Geolocation } from '../../visits/redirects/geolocation.ts';
import type { AnswersFor } from '../../visits/redirects/redirect-path.ts';
import { hostNames } from './edge-addresses.ts';
import { edgeCertificates } from './edge-certificates.ts';
import { type EdgeConnection, edgeConnection } from './edge-connection.ts';
import { edgeFiles } from './edge-files.ts';
import { fileCache } from './file-cache.ts';
import type { ReplicaApp } from './generation.ts';
import { fleetLimits } from './limits.ts';
import { keepMembership, type Membership } from './membership.ts';
import { replicaBuilder } from './replica-builder.ts';
import { openReplicas } from './replicas.ts';
import { fleetSeal } from './seal.ts';
import type { FleetSession } from './session.ts';
import { getSnapshot } from './snapshots.ts';
import { fleetSubjects } from './subjects.ts';

/** The dependencies of the server that answers from a replica. */
interface ReplicaAppOptions extends CoreOptions {
  config: Pick<Config, 'settings' | 'vaultKey' | 'timezone'>;
  version: string;
  adminFolder: string;
  setupCode: string;
  geolocation: Geolocation | undefined;
  answersFor: AnswersFor;
}

interface Options {
  /** Wires a server, by the same code as that of the origin. */
  createApp: (options: ReplicaAppOptions) => ReplicaApp;
  /** The data folder of the edge. */
  folder: string;
  membership: Membership;
  version: string;
  /** Settings that the start decides. */
  settings: PartialSettings;
  timezone: string;
  geolocation?: Geolocation | undefined;
  port: () => number;
  /** Where HTTPS is listened on; undefined where it is not. */
  httpsPort?: () => number | undefined;
  /** Addresses that are listened on, for the page of the fleet. */
  addresses: () => string[];
  /** Free bytes of a folder's disk; by default, as the system reports. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  now: () => number;
  log: Logger;
}

export interface Edge {
  handle: RequestListener;
  /** The HTTPS certificate for a name; undefined if there is none. */
  certificateFor(name: string): SecureContext | undefined;
  /** Call it for every connection that was accepted. */
  noteArrival(): void;
  close(): Promise<void>;
}

/** How long this machine's addresses are cached. */
const addressesMs = 10_000;
/** Bytes of people's files that an edge keeps. */
const fileBytes = 4 * 2 ** 30;

/**
 * Wires an edge of a fleet: it answers short links and public pages from its replica, by the same code as the origin.
 */
export async function createEdge(options: Options): Promise<Edge> {
  const { folder, log, now } = options;
  const schema = migrations.at(-1)?.version ?? 0;
  let { membership } = options;
  let requests = 0;
  let connection: EdgeConnection | undefined;
  const seal = fleetSeal(Buffer.from(membership.key, 'base64'));
  const subjects = fleetSubjects;
  const trustedProxies = options.settings.trustedProxies ?? [];
  const builder = replicaBuilder(migrations);
  const limits = fleetLimits({ session, log });
  const files = edgeFiles({
    cache: fileCache({ folder: join(folder, 'files'), mostBytes: fileBytes, log }),
    membership,
    session,
    isStored: (storage) => replicas.hasContent(storage),
    now,
    log,
  });
  const certificates = edgeCertificates({ folder, seal, session, now, log });

  let known: readonly string[] = [];
  let knownAt = Number.NEGATIVE_INFINITY;

  function names(): readonly string[] {
    const at = performance.now();
    if (at - knownAt >= addressesMs) [known, knownAt] = [hostNames(options.addresses()), at];
    return known;
  }

  function session(): FleetSession | undefined {
    const engine = connection?.engine();
    return engine && { engine, seal, subjects };
  }

  const sweepFiles = (): Promise<void> =>
    files.sweep().catch((error) => log.warn({ err: error }, 'a file could not be removed'));

  const replicas = await openReplicas({
    folder,
    fleet: membership.fleet,
    migrations,
    builder,
    onEntry: () => connection?.wake(),
    onFiles() {
      if (connection) void sweepFiles();
    },
    openApp: (databases, forms) =>
      options.createApp({
        config: { settings: options.settings, vaultKey: undefined, timezone: options.timezone },
        databases,
        version: options.version,
        adminFolder: folder,
        setupCode: '',
        port: options.port,
        now,
        monotonic: () => performance.now(),
        randomInteger: randomInt,
        randomBytes,
        log,
        geolocation: options.geolocation,
        answersFor: {
          unlockKey: seal.derive('unlock'),
          limits,
          files,
          onRecorded: () => connection?.wake(),
          forms,
          names,
          machines: () => connection?.edges() ?? 1,
        },
      }),
    async fetchSnapshot(name, file) {
      const engine = connection?.engine();
      if (!engine) throw new Error('there is no connection to fetch a snapshot through');
      const key = seal.derive('snapshot');
      await getSnapshot(engine, subjects.snapshots, { name, file, key, freeBytes: options.freeBytes });
    },
    now,
    monotonic: () => performance.now(),
    log,
  });

  connection = edgeConnection({
    membership,
    seal,
    subjects,
    replicas,
    version: options.version,
    schema,
    addresses: options.addresses,
    requests: () => requests,
    onCertificate: certificates.take,
    onRevoked() {
      if (membership.revoked) return;
      membership = { ...membership, revoked: true };
      keepMembership(folder, membership);
      certificates.forget();
      log.error('This edge was revoked and no longer answers requests.');
    },
    now,
    log,
  });

  // Earlier changes may have deleted files.
  void sweepFiles();

  /** Why nothing can be answered; undefined when it can. */
  function obstacle(): string | undefined {
    if (membership.revoked) return 'This edge was revoked.';
    return replicas.app() ? undefined : 'This edge waits for its first copy of the links.';
  }

  function answerApi(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.split('?', 1)[0] !== '/api/health') {
      send(response, 404, {
        error: 1,
        message: 'This is an edge: it has short links and public pages only.',
      });
      return;
    }
    const message = obstacle();
    if (message === undefined) send(response, 200, { error: 0 });
    else send(response, 503, { error: 1, message });
  }

  function answerPublic(request: IncomingMessage, response: ServerResponse, host: string): void {
    requests += 1;
    if (request.url === '/metrics' && isLocal(request)) {
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(metrics());
      return;
    }
    if (certificates.answer(request, response, host)) return;
    const port = options.httpsPort?.();
    if (port !== undefined && certificates.serves(host) && !isSecure(request, trustedProxies)) {
      sendToHttps(request, response, host, port);
      return;
    }
    const message = obstacle();
    const app = replicas.app();
    if (app && message === undefined) app.answerPublic(request, response, host);
    else send(response, 503, { error: 1, message: message ?? '' });
  }

  function metrics(): string {
    const at = replicas.position();
    const lines: [name: string, type: string, help: string, value: number][] = [
      ['waypost_edge_requests_total', 'counter', 'Requests since the start.', requests],
      [
        'waypost_edge_connected',
        'gauge',
        'Whether the engine can be reached.',
        connection?.isConnected() ? 1 : 0,
      ],
      ['waypost_edge_epoch', 'gauge', 'Epoch of the replica.', at?.epoch ?? 0],
      ['waypost_edge_position', 'gauge', 'Position of the replica.', at?.position ?? 0],
      [
        'waypost_edge_waiting_clicks',
        'gauge',
        'Clicks, and entries of forms, that are not shipped yet.',
        replicas.waiting(),
      ],
      [
        'waypost_edge_lost_clicks_total',
        'counter',
        'Clicks answered since the start that the full disk could not take.',
        replicas.lost(),
      ],
    ];
    return lines
      .map(
        ([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
      )
      .join('');
  }

  return {
    certificateFor: certificates.contextFor,
    noteArrival: () => replicas.app()?.noteArrival(),
    handle: httpEntry({
      api: answerApi,
      admin: answerApi,
      redirects: answerPublic,
      hosts: { opensAdmin: () => true },
      isAlwaysSecure: () => false,
      rateHeadersOf: () => ({}),
    }),
    async close() {
      await connection.stop();
      await builder.close();
      await replicas.close();
    },
  };
}

function send(response: ServerResponse, status: number, body: { error: 0 | 1; message?: string }): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...jsonHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...(status === 503 && { 'Retry-After': '10' }),
  });
  response.end(text);
}
