import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openRawConnections } from '../support/raw-connections.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { some, times, trialOf } from '../support/trials.ts';
import { visit } from '../support/visits.ts';

/** Connections that break, for each of the two listeners. */
const broken = times({ short: 150, long: 10_000 });

const base = mkdtempSync(join(tmpdir(), 'waypost-raw-'));
let server: SpawnedServer | undefined;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server?.kill();
  server = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

async function addLinks({ origin }: SpawnedServer, key: string): Promise<void> {
  for (const link of [{ custom: 'open' }, { custom: 'locked', password: 'right' }]) {
    const reply = await fetch(`${origin}/api/url/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/', ...link }),
    });
    expect(reply.status).toBe(200);
  }
}

/** Follows a link again and again until told to stop; returns the statuses. */
function healthyClient(started: SpawnedServer) {
  const statuses: number[] = [];
  let isDone = false;
  const ended = (async () => {
    while (!isDone) statuses.push((await visit(started, '/open')).status);
  })();
  return {
    async stop() {
      isDone = true;
      await ended;
      return statuses;
    },
  };
}

const listeners: [string, boolean][] = [
  ['HTTP', false],
  ['HTTPS', true],
];
// What is beneath TLS is the same listener.
describe.each(some(listeners, { from: 1, short: 1 }))('the listener of %s (T-06)', (scheme, isSecure) => {
  test(`survives ${broken} connections that break at every stage, and serves others throughout`, {
    timeout: 900_000,
  }, async (context) => {
    const trial = trialOf(context, 'T-06', `${scheme} connections that break at every stage`);
    const httpsPort = await freePort();
    const options = ['--ssl-mode', 'local', '--https-port', String(httpsPort)];
    server = await spawnServer(join(base, scheme), options);
    await addLinks(server, await setUpAccount(server));
    const port = isSecure ? httpsPort : server.port;
    const healthy = healthyClient(server);
    const opened = await openRawConnections({
      port,
      isSecure,
      host: `localhost:${port}`,
      paths: ['/open', '/locked', '/nothing', '/open+', '/'],
      count: broken,
      atOnce: 50,
      seed: 2,
    });
    const statuses = await healthy.stop();
    expect(opened).toBe(broken);
    trial.tried = broken;
    expect(new Set(statuses)).toEqual(new Set([302]));
    // It ends with another code after an error that nobody caught.
    expect(await server.stop()).toBe(0);
    trial.survived = broken;
    trial.note = `${statuses.length} redirects beside them`;
  });
});

test('two thousand partial requests lock nobody out, and all are closed soon', {
  tags: 'long',
}, async () => {
  server = await spawnServer(join(base, 'half'));
  await addLinks(server, await setUpAccount(server));
  const { port } = server;
  let gone = 0;
  for (let count = 0; count < 2_100; count += 1) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    open.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.once('close', () => {
      gone += 1;
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  }
  for (let count = 0; count < 20; count += 1) expect((await visit(server, '/open')).status).toBe(302);
  await expect
    .poll(
      () => {
        // What is sent on a connection that is closed on one side alone is still taken.
        for (const socket of open) if (socket.readableEnded && !socket.destroyed) socket.write('x');
        return gone;
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(2_100);
  expect(await server.stop()).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'a process without free file descriptors continues once there are some',
  async () => {
    server = await spawnServer(join(base, 'descriptors'), [], ['prlimit', '--nofile=100:100']);
    await addLinks(server, await setUpAccount(server));
    for (let count = 0; count < 300; count += 1) {
      const socket = connect(server.port, '127.0.0.1');
      open.push(socket);
      socket.on('error', () => {});
      socket.write('GET /open HTTP/1.1\r\nHost: x\r\n');
    }
    await expect
      .poll(() => open.filter(({ destroyed, connecting }) => !destroyed && !connecting).length)
      .toBeGreaterThan(0);
    for (const socket of open.splice(0)) socket.destroy();
    const { port } = server;
    await expect
      .poll(
        () =>
          visit({ port }, '/open').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 30_000 },
      )
      .toBe(302);
    expect(await server.stop()).toBe(0);
  },
);
