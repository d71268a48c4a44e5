import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../build/free-port.ts';
import { engineConfig, engineUsers } from '../../server/network/fleet/engine-config.ts';

/** Whether the engine of fleets is installed (Debian: nats-server). */
export const hasNats = spawnSync('nats-server', ['--version']).status === 0;

/** Printed once if fleet tests cannot run, so that nobody takes silence for success. */
export const natsMissing =
  'nats-server is not installed: tests of fleets do not run (apt-get install nats-server)';

export interface NatsServer {
  url: string;
  port: number;
  /** Its storage folder. */
  folder: string;
  /** Kills it immediately, like a crash. */
  kill(): Promise<void>;
  /** Kills it immediately and deletes its storage, like the loss of its disk. */
  lose(): Promise<void>;
  /** Restarts it on the same port and storage. */
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
  const store = `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 8GB }`;
  const engine = engineOf(
    folder,
    port,
    `listen: "127.0.0.1:${port}"\n${store}\n${config}\n`,
    'Server is ready',
  );
  await engine.restart();
  return engine;
}

export interface KeyedNats extends NatsServer {
  /** The origin's credentials. */
  signIn: { credentials: string; signingkey: string; operatorkey: string };
}

/** Starts an engine with what `waypost fleet config` writes: keys, and an account that the origin gives users of. */
export async function startKeyedNats(): Promise<KeyedNats> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-keys-'));
  const out = join(folder, 'engine');
  const terminal = { print() {}, remark() {} };
  const noApp = () => {
    throw new Error('this command needs no app');
  };
  // The benchmark starts engines, too, and plain Node.js cannot load the commands.
  const { runCommand } = await import('../../server/operations/commands/run.ts');
  const code = await runCommand('fleet', ['config', '--out', out], noApp, terminal);
  if (code !== 0) throw new Error(`fleet config ended with ${code}`);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const trust = read('nats.conf')
    .slice(read('nats.conf').indexOf('operator:'))
    .replace('/var/lib/nats/accounts', join(folder, 'accounts'));
  const engine = await startNats(trust);
  return {
    ...engine,
    signIn: {
      credentials: read('origin.creds'),
      // As it is in the file, with the end of its line.
      signingkey: read('signing.key'),
      operatorkey: read('operator.key'),
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface NatsCluster {
  /** The addresses of all of them. */
  url: string;
  /** In the order of their names: `waypost-1`, `waypost-2`, `waypost-3`. */
  servers: NatsServer[];
  close(): Promise<void>;
}

/**
 * Starts three engines with the configuration that `waypost fleet config` writes, on ports and folders of their own.
 */
export async function startCluster(): Promise<NatsCluster> {
  const hosts = ['one', 'two', 'three'];
  const ports: number[] = [];
  for (let count = 0; count < 6; count += 1) ports.push(await freePort());
  const servers = hosts.map((_, index) => {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-nats-'));
    const port = ports[index] as number;
    const routes = { user: 'route', password: 'route-secret' };
    let text = engineConfig({ access: engineUsers(natsUsers), routes, hosts, index, tls: false })
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace(`${hosts[index]}:4222`, `127.0.0.1:${port}`)
      .replace('0.0.0.0:6222', `127.0.0.1:${ports[index + 3]}`)
      .replace('/var/lib/nats', folder);
    for (const [other, host] of hosts.entries()) {
      text = text.replace(`@${host}:6222`, `@127.0.0.1:${ports[other + 3]}`);
    }
    // None of them is ready alone: they choose who leads.
    return engineOf(folder, port, text, 'metadata leader');
  });
  await Promise.all(servers.map((server) => server.restart()));
  return {
    url: servers.map(({ url }) => url).join(','),
    servers,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

// A test that failed before it could close its engine must not leave it behind.
const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const engine of started) engine.kill('SIGKILL');
});

/** An engine that does not run yet. `ready` is what it says when it does. */
function engineOf(folder: string, port: number, config: string, ready: string): NatsServer {
  const file = join(folder, 'nats.conf');
  writeFileSync(file, config);
  let running: ChildProcess | undefined;

  async function restart(): Promise<void> {
    await kill();
    running = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    started.add(running);
    let said = '';
    running.stderr?.on('data', (text) => {
      said += text;
    });
    for (let tries = 0; tries < 1_500; tries += 1) {
      if (running.exitCode !== null) throw new Error(`nats-server ended: ${said}`);
      if (said.includes(ready) && (await answers(port))) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await kill();
    throw new Error(`nats-server did not start: ${said}`);
  }

  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
    started.delete(running);
  }

  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    kill,
    async lose() {
      await kill();
      rmSync(join(folder, 'jetstream'), { recursive: true });
    },
    restart,
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
