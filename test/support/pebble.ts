import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';

export interface Pebble {
  /** Address of the directory, for the setting ssl.acmeDirectory. */
  directory: string;
  /** `address:port` of the name server, for the setting dnsServers. */
  nameServer: string;
  /** The certificate of pebble's own HTTPS, which clients of it have to trust. */
  ownRoot: string;
  /** The root of the certificates that pebble issues. */
  issuingRoot(): Promise<string>;
  /** Sets the address of a name; without one it no longer resolves. */
  point(host: string, address: string | undefined): Promise<void>;
  /** Makes the name server fail for a name, or work again. */
  setFailing(host: string, failing: boolean): Promise<void>;
  /** Ends pebble itself at once; the name server goes on. */
  kill(): Promise<void>;
  /** Ends the name server at once; pebble goes on. */
  killNames(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** The port on which pebble looks for HTTP-01 challenges: our listener's. */
  httpPort: number;
  /** Percentage of good nonces that are refused. */
  nonceReject?: number;
}

/**
 * Starts pebble and its name server on loopback (Debian's packages), with a certificate of our own for pebble's HTTPS:
 * Debian ships none.
 */
export async function startPebble(options: Options): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-pebble-'));
  const [dnsPort, dnsManagement, port, management, tlsPort] = await freePorts(5);
  const certificate = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  makeCertificate(certificate, key);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate,
        privateKey: key,
        httpPort: options.httpPort,
        tlsPort,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }),
  );
  const names = start('pebble-challtestsrv', [
    '-dns01',
    `127.0.0.1:${dnsPort}`,
    '-management',
    `127.0.0.1:${dnsManagement}`,
    ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv4', '', '-defaultIPv6', ''],
  ]);
  const authority = start(
    'pebble',
    ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`],
    {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: String(options.nonceReject ?? 0),
    },
  );
  const ownRoot = readFileSync(certificate, 'utf8');
  const dispatcher = new Agent({ connect: { ca: ownRoot } });

  async function manage(path: string, body: object): Promise<void> {
    const url = `http://127.0.0.1:${dnsManagement}/${path}`;
    const reply = await request(url, { method: 'POST', body: JSON.stringify(body) });
    await reply.body.dump();
    if (reply.statusCode !== 200) throw new Error(`pebble-challtestsrv answered ${reply.statusCode}`);
  }

  await untilReady(async () => {
    const reply = await request(`https://127.0.0.1:${port}/dir`, { dispatcher });
    await reply.body.dump();
    await manage('clear-a', { host: 'nobody.test' });
  });

  return {
    directory: `https://127.0.0.1:${port}/dir`,
    nameServer: `127.0.0.1:${dnsPort}`,
    ownRoot,
    async issuingRoot() {
      const reply = await request(`https://127.0.0.1:${management}/roots/0`, { dispatcher });
      return reply.body.text();
    },
    async point(host, address) {
      await manage('clear-a', { host: `${host}.` });
      if (address !== undefined) await manage('add-a', { host: `${host}.`, addresses: [address] });
    },
    setFailing: (host, failing) => manage(failing ? 'set-servfail' : 'clear-servfail', { host: `${host}.` }),
    kill: () => end(authority),
    killNames: () => end(names),
    async close() {
      await Promise.all([end(authority), end(names), dispatcher.destroy()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(program: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...environment } });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function untilReady(look: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await look();
      return;
    } catch (error) {
      // Not listening yet.
      if (attempt >= 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function makeCertificate(certificate: string, key: string): void {
  const result = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    '/CN=pebble for tests',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  if (result.status !== 0) throw new Error(`openssl failed: ${result.stderr}`);
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
