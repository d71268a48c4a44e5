import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../build/free-port.ts';

/** Whether the engine of fleets is on this machine (Debian: nats-server). */
export const hasNats = spawnSync('nats-server', ['--version']).status === 0;

/** Said once where tests of fleets cannot run, so that nobody takes silence for success. */
export const natsMissing =
  'nats-server is not installed: tests of fleets do not run (apt-get install nats-server)';

export interface NatsServer {
  url: string;
  port: number;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same store. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The users of an engine in tests: the origin may do everything in its account, an edge what edges must. */
export const natsUsers = {
  user: 'origin',
  password: 'origin-secret',
  edgeuser: 'edge',
  edgepassword: 'edge-secret',
};

/** Starts a real engine with a store in a scratch folder. `config` is what stands beside that in its configuration. */
export async function startNats(config: string): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 8GB }\n${config}\n`,
  );
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    running = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    running.stderr?.on('data', (text) => {
      said += text;
    });
    for (let tries = 0; tries < 500; tries += 1) {
      if (running.exitCode !== null) throw new Error(`nats-server ended: ${said}`);
      if (said.includes('Server is ready') && (await answers(port))) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`nats-server did not start: ${said}`);
  }

  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    kill,
    restart: start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
