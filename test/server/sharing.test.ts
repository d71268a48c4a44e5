import { get } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Listening } from '../../server/http/listen.ts';
import { listen } from '../../server/http/listen.ts';
import { mdnsDiscovery } from '../../server/sharing/discovery.ts';
import { hostOf, networkAddresses } from '../../server/sharing/network-addresses.ts';
import { startApp, type TestApp } from '../support/app.ts';

const face = (address: string, internal = false) => ({
  address,
  internal,
  family: (address.includes(':') ? 'IPv6' : 'IPv4') as 'IPv4',
  netmask: '',
  mac: '',
  cidr: null,
});

test('addresses that others can use are those of the networks, IPv4 first', () => {
  const interfaces = {
    lo: [face('127.0.0.1', true), face('::1', true)],
    eth0: [face('fe80::1'), face('2001:DB8::7'), face('192.168.1.20')],
    eth1: [face('169.254.3.4'), face('10.0.0.7'), face('192.168.1.20')],
    gone: undefined,
  };
  expect(networkAddresses(interfaces)).toEqual(['192.168.1.20', '10.0.0.7', '2001:db8::7']);
  expect(['10.0.0.7', '2001:db8::7'].map(hostOf)).toEqual(['10.0.0.7', '[2001:db8::7]']);
});

describe('sharing on the network', () => {
  let server: TestApp;
  afterEach(() => server.close());

  // Another loopback address stands for the one of the network: it is listened on by nobody but for the sharing.
  const lan = '127.0.0.2';
  async function start(): Promise<void> {
    server = await startApp({
      network: {
        addresses: () => [lan],
        hostName: 'Desk',
        bound: () => ['127.0.0.1'],
        listenOn: (address, handler): Promise<Listening> =>
          listen({
            hosts: [address],
            port: server.port,
            handler,
            trustedProxies: [],
            keylessLimit: 60,
            now: server.clock.now,
          }),
        discovery: undefined,
      },
    });
  }
  const share = (sharing: boolean) => server.request('PUT', '/api/settings', { body: { sharing } });
  const atLan = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://${lan}:${server.port}${path}`, { headers });

  test('is off at first: nobody listens there', async () => {
    await start();
    await expect(atLan('/api/health')).rejects.toThrow();
    const { body } = await server.request('GET', '/api/sharing');
    expect(body.data).toEqual({
      sharing: false,
      fixed: false,
      name: 'Desk',
      addresses: [],
      https: null,
      problem: null,
    });
  });

  test('opens the addresses of the network, and closes them again', async () => {
    await start();
    await share(true);
    await expect
      .poll(() =>
        atLan('/api/health').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const { body } = await server.request('GET', '/api/sharing');
    expect(body.data).toMatchObject({
      sharing: true,
      addresses: [
        { address: lan, url: `http://${lan}:${server.port}` },
        { address: 'desk.local', url: `http://desk.local:${server.port}` },
      ],
    });
    expect((await atLan('/admin/')).status).toBe(200);

    await share(false);
    await expect
      .poll(() =>
        atLan('/api/health').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(0);
    expect((await server.request('GET', '/api/health')).status).toBe(200);
  });

  test('opens the interface to the names of the network only while it is on (T-01)', async () => {
    await start();
    // fetch writes the Host header itself.
    const named = (host: string): Promise<{ status: number | undefined }> =>
      new Promise((resolve, reject) => {
        const headers = { host: `${host}:${server.port}` };
        const asked = get({ host: '127.0.0.1', port: server.port, path: '/api/health', headers }, (reply) => {
          reply.resume();
          resolve({ status: reply.statusCode });
        });
        asked.on('error', reject);
      });
    expect((await named('desk.local')).status).toBe(421);
    await share(true);
    expect((await named('desk.local')).status).toBe(200);
    expect((await named('evil.example')).status).toBe(421);
    await share(false);
    expect((await named('desk.local')).status).toBe(421);
  });

  test('is a matter of administrators', async () => {
    await start();
    expect((await server.request('GET', '/api/sharing', { key: null })).status).toBe(401);
  });
});

test('two instances hear of each other by multicast DNS', { timeout: 20_000 }, async (context) => {
  const errors: Error[] = [];
  const one = mdnsDiscovery((error) => errors.push(error), '127.0.0.1');
  const other = mdnsDiscovery((error) => errors.push(error), '127.0.0.1');
  try {
    one.announce({ name: 'Waypost on One\u0007', port: 8420, host: 'one.local' });
    const found = await other.find();
    context.skip(
      found.length === 0 && errors.length > 0,
      `multicast does not work here: ${errors[0]?.message}`,
    );
    context.skip(found.length === 0, 'this machine has no address of a network to tell of');
    expect(found).toContainEqual({
      name: 'Waypost on One',
      url: expect.stringMatching(/^http:\/\/[\d.]+:8420$/),
    });
    expect(await one.find()).toEqual([]);
    one.withdraw();
  } finally {
    await one.end();
    await other.end();
  }
});
