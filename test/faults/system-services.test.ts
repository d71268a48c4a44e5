import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { selfSigned } from '../support/certificates.ts';
import { browser } from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startNats } from '../support/nats.ts';
import { canRestrictSockets, withFamiliesOf } from '../support/restricted-sockets.ts';
import { runProgram } from '../support/spawned-command.ts';
import { type SpawnedServer, setUpAccount, spawnEdge, spawnServer } from '../support/spawned-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-services-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unit = (name: string) => readFileSync(join(import.meta.dirname, '../../build', name), 'utf8');
const patience = { timeout: 40_000, interval: 500 };

describe.skipIf(!hasNats || !canRestrictSockets)('with the sockets that the system services may open', () => {
  let nats: NatsServer;
  let origin: SpawnedServer;
  let edge: SpawnedServer | undefined;
  let key = '';

  async function send(method: string, path: string, body?: object) {
    const reply = await fetch(origin.origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return await reply.json();
  }

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    origin = await spawnServer(join(folder, 'origin'), [], withFamiliesOf(unit('waypost.service')));
    key = await setUpAccount(origin);
  });

  afterAll(async () => {
    await edge?.kill();
    await origin?.kill();
    await nats?.close();
  });

  test('an edge joins, answers, says where, and has its visits counted', async () => {
    expect(await send('PUT', '/api/settings', { baseUrl: origin.origin })).toMatchObject({ error: 0 });
    const on = { enabled: true, url: nats.url, ...natsUsers };
    expect(await send('PUT', '/api/fleet/update', on)).toMatchObject({ error: 0 });
    const { id } = await send('POST', '/api/url/add', { url: 'https://example.org/', custom: 'served' });
    const { token } = await send('POST', '/api/fleet/edge/add', { name: 'Oslo' });
    const started = await spawnEdge(
      join(folder, 'edge'),
      ['--join', token],
      withFamiliesOf(unit('fleet/waypost-edge.service')),
    );
    edge = started;
    const visit = async () =>
      (await fetch(`${started.origin}/served`, { redirect: 'manual', headers: browser })).status;
    await expect.poll(visit, patience).toBe(302);
    const clicks = async () => (await send('GET', `/api/url/${id}/stats`)).data.clicks;
    await expect.poll(clicks, patience).toBeGreaterThan(0);
    const addresses = async () => (await send('GET', '/api/fleet/edges')).data.edges[0].addresses;
    await expect.poll(addresses, patience).toContain(`127.0.0.1:${started.port}`);
  });
});

test.skipIf(!hasNats)('the service of the engine starts what "fleet config --tls" wrote', async () => {
  const out = join(folder, 'engine');
  expect(await runProgram('fleet', 'config', '--tls', '--out', out)).toMatchObject({ code: 0 });
  const port = await freePort();
  const file = join(out, 'nats.conf');
  const config = readFileSync(file, 'utf8').replaceAll('/var/lib/nats', join(folder, 'store'));
  writeFileSync(file, config.replace('0.0.0.0:4222', `127.0.0.1:${port}`));
  const { certificate, key } = await selfSigned({ names: ['127.0.0.1'] });
  writeFileSync(join(out, 'cert.pem'), certificate);
  writeFileSync(join(out, 'key.pem'), key);
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit('fleet/waypost-engine.service')) ?? [];
  // As systemd reads it: $$ is a dollar sign, and a variable in braces is replaced.
  const line = command
    .replaceAll(['$', '{CREDENTIALS_DIRECTORY}'].join(''), out)
    .replaceAll('$$', '$')
    .replace('/usr/sbin/', '');
  const engine: ChildProcess = spawn('sh', ['-c', `exec ${line}`], {
    cwd: '/',
    env: { ...process.env, CREDENTIALS_DIRECTORY: out },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  engine.stderr?.on('data', (text) => {
    said += text;
  });
  try {
    await expect.poll(() => said, patience).toContain('TLS required for client connections');
    await expect.poll(() => said, patience).toContain('Server is ready');
  } finally {
    engine.kill('SIGKILL');
  }
});
