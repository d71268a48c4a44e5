import { isIP } from 'node:net';
import { type ConnectionOptions as ConnectOptions, checkServerIdentity } from 'node:tls';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection, TlsOptions } from '@nats-io/transport-node';
import type { EngineReason } from '../../contract/fleet.ts';
import { edgeInbox } from './subjects.ts';

/** Where the engine is, and as whom to sign in there. */
export interface EngineAddress {
  /** One address or several, with commas between them. */
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  token?: string | undefined;
  /** The text of a credentials file. */
  credentials?: string | undefined;
}

export interface Engine {
  connection: NatsConnection;
  streams: JetStreamClient;
  manager: JetStreamManager;
  /** Aborted when the connection has ended. To wait for that many times over by its promise would fill the memory. */
  ended: AbortSignal;
  close(): Promise<void>;
}

type Kind = 'unreachable' | 'refused';

interface FailureOptions extends ErrorOptions {
  reason: EngineReason;
  /** What the sentence names. */
  detail?: string;
  code?: 'fleet_unreachable' | 'fleet_taken';
}

/** Why the engine cannot be used, in a sentence for an administrator; `refused` does not change by waiting. */
export class EngineFailure extends Error {
  readonly kind: Kind;

  readonly code: 'fleet_unreachable' | 'fleet_taken';

  readonly reason: EngineReason;

  readonly detail: string | null;

  constructor(
    kind: Kind,
    message: string,
    { code = 'fleet_unreachable', detail, reason, ...options }: FailureOptions,
  ) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.reason = reason;
    this.detail = detail ?? null;
  }
}

const connectMs = 5_000;
const oldestVersion = [2, 9] as const;

/** The form of one address of an engine. */
const addressForm = /^(nats|tls|ws|wss):\/\/[^\s/@?#]+\/?$/;

/** The addresses of NATS servers; undefined if one is invalid. */
export function readAddresses(url: string): string[] | undefined {
  const addresses = url.split(',').map((address) => address.trim());
  // A port above 65535 has the form, and no client can use it.
  const isUsable = (address: string) => addressForm.test(address) && URL.canParse(address);
  return addresses.every(isUsable) ? addresses : undefined;
}

/**
 * Connects to NATS and checks its capabilities. The client is loaded on the first call: without a fleet it costs
 * nothing. A broken connection stays closed. `replyMs` is how long a reply about streams may take. Throws
 * EngineFailure.
 */
export async function connectEngine(
  address: EngineAddress,
  name: string,
  replyMs = connectMs,
): Promise<Engine> {
  const { connect, credsAuthenticator, wsconnect } = await import('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  const servers = readAddresses(address.url) ?? [];
  const options: ConnectionOptions = {
    servers,
    name,
    timeout: connectMs,
    // Its users reconnect, with all checks repeated.
    reconnect: false,
    // Only the replies to this connection are for it to hear.
    inboxPrefix: inboxOf(name),
    ignoreAuthErrorAbort: false,
  };
  if (address.user) options.user = address.user;
  if (address.password) options.pass = address.password;
  if (address.token) options.token = address.token;
  if (address.credentials) {
    options.authenticator = credsAuthenticator(new TextEncoder().encode(address.credentials));
  }
  const usesTls = servers.some((server) => server.startsWith('tls:'));
  const usesWeb = servers.some((server) => /^wss?:/.test(server));
  let connection: NatsConnection;
  try {
    connection = usesWeb
      ? await wsconnect(options)
      : await connect(usesTls ? { ...options, tls: tlsOf(servers) } : options);
  } catch (error) {
    throw asFailure(error, address);
  }
  try {
    checkVersion(connection.info?.version ?? '');
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: replyMs });
    const ending = new AbortController();
    void connection.closed().then(() => ending.abort());
    return {
      connection,
      ended: ending.signal,
      streams: jetstream(connection, { timeout: replyMs }),
      manager,
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw asFailure(error, address);
  }
}

/**
 * For IP addresses the client passes no host, and Node.js checks the certificate for "localhost": it must be for that
 * address.
 */
function tlsOf(servers: readonly string[]): TlsOptions & Pick<ConnectOptions, 'checkServerIdentity'> {
  const numbers = servers
    .map((server) => new URL(server).hostname.replace(/^\[|\]$/g, ''))
    .filter((host) => isIP(host) !== 0);
  return {
    checkServerIdentity(host, certificate) {
      const hosts = host === 'localhost' && numbers.length > 0 ? numbers : [host];
      const failures = hosts.map((each) => checkServerIdentity(each, certificate));
      return failures.includes(undefined) ? undefined : failures[0];
    },
  };
}

/** Throws EngineFailure unless the engine keeps streams for this user. */
export async function checkStreams(engine: Engine, address: EngineAddress): Promise<void> {
  try {
    await engine.manager.getAccountInfo();
  } catch (error) {
    throw asFailure(error, address);
  }
}

/** The subjects under which a connection hears replies. */
function inboxOf(name: string): string {
  const edge = /^waypost-edge-(\w+)$/.exec(name)?.[1];
  return edge === undefined ? '_INBOX_waypost_origin' : edgeInbox(edge);
}

function checkVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestVersion;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new EngineFailure(
    'refused',
    `The engine is NATS ${version}. Update it to ${oldestVersion.join('.')} or newer.`,
    { reason: 'old_engine', detail: version },
  );
}

/** Why an engine keeps less than it is to keep, or nothing. */
export function noRoom(cause?: unknown): EngineFailure {
  const room = 'The engine has no room left for the fleet. Give JetStream more space (max_file_store).';
  return new EngineFailure('refused', room, { cause, reason: 'no_room' });
}

/** Describes the problem in a sentence that says what to do. */
export function asFailure(error: unknown, { url }: Pick<EngineAddress, 'url'>): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const { name, message } = error as Error;
  const text = `${name} ${message} ${String((error as Error).cause ?? '')}`;
  const because = (reason: EngineReason, detail?: string) => ({
    cause: error,
    reason,
    ...(detail !== undefined && { detail }),
  });
  if (/Authorization|Authentication|nkey|credential/i.test(text)) {
    return new EngineFailure(
      'refused',
      'The engine does not accept these credentials. Check them.',
      because('credentials'),
    );
  }
  if (/Permission/i.test(text)) {
    return new EngineFailure(
      'refused',
      'This user of the engine lacks rights that a fleet needs. Use the configuration that "waypost fleet config" prints.',
      because('rights'),
    );
  }
  // The client also reports missing JetStream while a cluster elects a leader.
  if (/no responders: '(?!\$JS\.)/.test(text)) {
    const away = 'none of its servers takes messages for a stream at the moment';
    return new EngineFailure(
      'unreachable',
      `The fleet cannot use the engine: ${away}.`,
      because('failed', away),
    );
  }
  if (/JetStreamNotEnabled|jetstream.*not.*enabled|no responders/i.test(text)) {
    return new EngineFailure(
      'refused',
      'JetStream is off on this engine. Turn it on (nats-server -js) and try again.',
      because('no_jetstream'),
    );
  }
  if (/unexpected response from server/i.test(text)) {
    return new EngineFailure(
      'unreachable',
      `The server at ${url} is not a NATS server. Check the address and the port.`,
      because('no_engine', url),
    );
  }
  if (/server does not support 'tls'/i.test(text)) {
    return new EngineFailure(
      'refused',
      `The engine at ${url} does not use TLS. Turn it on there, or write nats:// in the address.`,
      because('no_tls', url),
    );
  }
  if (/certificate|self.signed|TLS/i.test(text)) {
    return new EngineFailure(
      'refused',
      `The TLS connection to ${url} failed: ${message}. If a certificate authority of your own issued the certificate, start with NODE_EXTRA_CA_CERTS set to its file.`,
      because('tls', message),
    );
  }
  if (/maximum bytes exceeded/i.test(text)) {
    const full =
      'The engine has no room left for clicks. They wait on their edges until the origin has processed those in the engine.';
    return new EngineFailure('refused', full, because('clicks_full'));
  }
  if (/insufficient|resource|maximum bytes|no space/i.test(text)) return noRoom(error);
  if (!/ECONN|ENOTFOUND|EAI_|EHOST|ENET|timeout|Timeout|Connection|closed/i.test(text)) {
    return new EngineFailure(
      'unreachable',
      `The fleet cannot use the engine: ${message}.`,
      because('failed', message),
    );
  }
  return new EngineFailure(
    'unreachable',
    `The engine does not answer at ${url}. Check the address, and that it is running.`,
    because('unreachable', url),
  );
}
