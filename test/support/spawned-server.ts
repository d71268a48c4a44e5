import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { serverEnvironment, serverFlags } from '../../build/processes.ts';

export interface SpawnedServer {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  port: number;
  pid: number;
  /** Milliseconds from the start of the process until it said that it listens. */
  startMs: number;
  /** The code that creates the first account, in the address that was printed; '' once there is an account. */
  setupCode: string;
  /** Stops it like a user, and waits. Returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it, and waits. */
  kill(): Promise<void>;
}

const endWithParent = join(import.meta.dirname, 'end-with-parent.mjs');
const builtProgram = join(import.meta.dirname, '../../out/main/server.js');

/**
 * Starts the built server on a data folder and a free port; it ends when this process does. Throws with its output when
 * it does not come up. `prefix` goes in front of the command, and becomes the server by exec. `program` is the bundle,
 * if it is another one.
 */
export function spawnServer(
  data: string,
  args: string[] = [],
  prefix: readonly string[] = [],
  program = builtProgram,
): Promise<SpawnedServer> {
  return spawnProgram('serve', { data, args, prefix, program });
}

/** Starts the built server as an edge of a fleet, in the same way. */
export function spawnEdge(
  data: string,
  args: string[] = [],
  prefix: readonly string[] = [],
): Promise<SpawnedServer> {
  return spawnProgram('edge', { data, args, prefix, program: builtProgram });
}

interface Start {
  data: string;
  args: readonly string[];
  prefix: readonly string[];
  program: string;
}

function spawnProgram(
  name: 'serve' | 'edge',
  { data, args, prefix, program }: Start,
): Promise<SpawnedServer> {
  const startedAt = performance.now();
  const serve = [name, '--host', '127.0.0.1', '--port', '0', '--data', data, '--log-level', 'error'];
  const [command = '', ...rest] = [
    ...prefix,
    process.execPath,
    ...serverFlags,
    '--import',
    endWithParent,
    program,
    ...serve,
    ...args,
  ];
  const env = { ...process.env, ...serverEnvironment };
  const child = spawn(command, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const port = /ready at https?:\/\/[^:]+:(\d+)(?:\/.*)?\n/.exec(output)?.[1];
      if (port === undefined) return;
      const setupCode = /ready at \S+#code=(\w+)/.exec(output)?.[1] ?? '';
      resolve({ ...handleOf(child, Number(port), performance.now() - startedAt, ended), setupCode });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}

function handleOf(
  child: ChildProcess,
  port: number,
  startMs: number,
  ended: Promise<number | null>,
): Omit<SpawnedServer, 'setupCode'> {
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    startMs,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Who `setUpAccount` makes. */
export const firstAccount = { email: 'anna@example.com', username: 'anna', password: 'correct horse' };

/** Creates the first account of a fresh instance and returns its API key. */
export async function setUpAccount(server: SpawnedServer): Promise<string> {
  const response = await fetch(`${server.origin}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...firstAccount, setupcode: server.setupCode }),
  });
  const reply = (await response.json()) as { data?: { api_key?: string }; message?: string };
  if (!reply.data?.api_key) throw new Error(`the set-up failed: ${reply.message}`);
  return reply.data.api_key;
}
