import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Instances, knownInstances, type StoredInstances } from '../../main/instances/instances.ts';
import { Refused } from '../../main/requests/refused.ts';
import type { LogFile } from '../../main/server/log-file.ts';
import type { RunningServer } from '../../main/server/server-process.ts';
import type { JsonFile } from '../../main/storage/json-file.ts';
import { type Secrets, type StoredSecrets, secretStore } from '../../main/storage/secrets.ts';
import type { ServerState } from '../../preload/contract.ts';

/** A log in memory. */
export interface MemoryLog extends LogFile {
  lines: string[];
}

export function memoryLog(): MemoryLog {
  const lines: string[] = [];
  return {
    path: '/logs/waypost.log',
    lines,
    line: (text) => lines.push(text),
    note: (message, details = {}) => lines.push(JSON.stringify({ message, ...details })),
    flush: async () => {},
  };
}

/** A document in memory instead of on disk; nothing can be written if `full`. */
export function memoryFile<Document>(document: Document, isFull = false): JsonFile<Document> {
  let kept = document;
  return {
    read: () => kept,
    write(next) {
      if (isFull) throw new Refused('The disk is full.');
      kept = next;
    },
  };
}

/** The server inside the desktop app, as seen by the rest of it. */
export interface FakeServer {
  become(state: ServerState, running?: RunningServer): void;
  state(): ServerState;
  running(): RunningServer | undefined;
  onChange(listener: (state: ServerState) => void): () => void;
}

export function fakeServer(start?: RunningServer): FakeServer {
  const events = new EventEmitter();
  let running = start;
  let state: ServerState = start ? { state: 'running', origin: start.origin } : { state: 'starting' };
  return {
    become(next, now) {
      state = next;
      running = now;
      events.emit('change', next);
    },
    state: () => state,
    running: () => running,
    onChange(listener) {
      events.on('change', listener);
      return () => events.off('change', listener);
    },
  };
}

/** Keys in memory, on a system without a key store. */
export function memorySecrets(keys: Record<string, string> = {}): Secrets {
  const stored: StoredSecrets = Object.fromEntries(
    Object.entries(keys).map(([binding, plain]) => [binding, { plain }]),
  );
  return secretStore({
    keyStore: {
      getSelectedStorageBackend: () => 'basic_text',
      isAsyncEncryptionAvailable: async () => false,
      encryptStringAsync: () => Promise.reject(new Error('there is no key store')),
      decryptStringAsync: () => Promise.reject(new Error('there is no key store')),
    },
    platform: 'linux',
    file: memoryFile(stored),
    log: memoryLog(),
  });
}

export interface DesktopParts {
  instances: Instances;
  secrets: Secrets;
  server: FakeServer;
}

/** Instances at these origins, the first being the local one, with the keys of those that have one. */
export function instancesAt(
  origins: Record<string, { origin: string; key?: string }>,
  options: { localInstanceId?: string; isFull?: boolean } = {},
): DesktopParts {
  const { localInstanceId = 'data-1', isFull } = options;
  const { local, ...others } = origins;
  const server = fakeServer(local && { origin: local.origin, instanceId: localInstanceId });
  const keys: Record<string, string> = {};
  if (local?.key) keys[`local:${localInstanceId}`] = local.key;
  for (const { origin, key } of Object.values(others)) if (key) keys[origin] = key;
  const stored: StoredInstances = {
    current: 'local',
    remotes: Object.entries(others).map(([id, { origin }]) => ({ id, name: id, color: 'blue', origin })),
  };
  const secrets = memorySecrets(keys);
  return {
    secrets,
    server,
    instances: knownInstances({ file: memoryFile(stored, isFull), secrets, server, onNotWritten() {} }),
  };
}

/** A request that a test server has got. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface HttpStandIn {
  origin: string;
  seen: Seen[];
  close(): Promise<void>;
}

/** A real HTTP server on a free port of this machine that answers as the test says. */
export async function httpServer(
  answer: (request: Seen, response: ServerResponse) => void,
): Promise<HttpStandIn> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    answer(one, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export function answerJson(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}
