import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, request } from 'node:http';
import { createServer, isIPv4 } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../build/free-port.ts';
import { mdnsDiscovery } from '../../../server/network/sharing/discovery.ts';
import { hostOf, networkAddresses } from '../../../server/network/sharing/network-addresses.ts';
import { type StartOptions, startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { visitSecurely } from '../../support/domain-bench.ts';
import { askFromElsewhere, lan, lanNetwork } from '../../support/lan.ts';

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

  let folder = '';
  async function start(options: StartOptions = {}): Promise<void> {
    // Certificates are looked at by clients that go by the real clock.
    server = await startApp({ clock: testClock(Date.now()), network: lanNetwork(() => server), ...options });
  }
  const share = (sharing: boolean) => server.request('PUT', '/api/settings', { body: { sharing } });
  const atLan = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://${lan}:${server.port}${path}`, { headers });

  test('is off by default: nothing listens there', async () => {
    await start();
    await expect(atLan('/api/health')).rejects.toThrow();
    const { body } = await server.request('GET', '/api/sharing');
    expect(body.data).toEqual({
      sharing: false,
      fixed: false,
      name: 'Desk',
      addresses: [],
      https: null,
      httpsProblem: null,
      plain: false,
      problem: null,
    });
  });

  test("opens the network's addresses, and closes them again", async () => {
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

  test('opens the API to network names only while it is on (T-01)', async () => {
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

  async function state() {
    return (await server.request('GET', '/api/sharing')).body.data;
  }
  /** Shares, and returns what is told of it once HTTPS is there. */
  async function shared() {
    await share(true);
    await expect.poll(async () => (await state()).https, { timeout: 10_000 }).not.toBeNull();
    return state();
  }
  const root = async () => (await fetch(`${server.origin}/ca/root.crt`)).text();

  test('offers HTTPS by the local authority, for each address and the name of the machine', async () => {
    await start();
    expect((await fetch(`${server.origin}/ca/root.crt`)).status).toBe(404);
    const { https } = await shared();
    const { port } = new URL(https.urls[0]);
    expect(https.urls).toEqual([`https://${lan}:${port}`, `https://desk.local:${port}`]);
    expect(https.fingerprint).toBe(new X509Certificate(await root()).fingerprint256);
    for (const host of [lan, 'desk.local']) {
      const { head, certificate } = await visitSecurely(
        Number(port),
        `${host}:${port}`,
        '/api/meta',
        await root(),
        lan,
      );
      expect(head).toContain(' 200 OK');
      expect(certificate.subjectaltname).toContain(host);
    }
    const trusted = await root();
    await share(false);
    await expect
      .poll(() =>
        visitSecurely(Number(port), `${lan}:${port}`, '/api/meta', trusted, lan).then(
          () => 'there',
          () => 'gone',
        ),
      )
      .toBe('gone');
  });

  test('is where invitations created on this machine begin, without a public URL', async () => {
    await start();
    const { id } = (await server.request('POST', '/api/team/add', { body: { name: 'Desk' } })).body;
    const linkIntoTeam = async (): Promise<string> =>
      (await server.request('POST', `/api/team/${id}/invite`, { body: { role: 'editor' } })).body.link;
    const linkToInstance = async (): Promise<string> =>
      (await server.request('POST', '/api/invite/add', { body: {} })).body.data.url;
    expect(await linkIntoTeam()).toContain(`http://localhost:${server.port}/admin/join#`);

    const [origin] = (await shared()).https.urls;
    const link = await linkIntoTeam();
    expect(link).toContain(`${origin}/admin/join#`);
    expect(await linkToInstance()).toContain(`${origin}/admin/register#`);
    const { host, port, pathname, hash } = new URL(link);
    const { head } = await visitSecurely(Number(port), host, pathname, await root(), lan);
    expect(head).toContain(' 200 OK');
    const preview = await server.request('POST', '/api/team/invitation', {
      key: null,
      body: { code: hash.slice(1) },
    });
    expect(preview.body.data.team.name).toBe('Desk');

    // Whoever reached it by another address of it hands that on.
    const authorization = `Bearer ${server.key}`;
    expect(await askedAs(`desk.local:${server.port}`, `/api/team/${id}/invite`, authorization)).toContain(
      `http://desk.local:${server.port}/admin/join#`,
    );
    // Short links of the network begin with a plain address, where nobody can sign in.
    const baseUrl = `http://${lan}:${server.port}`;
    await server.request('PUT', '/api/settings', { body: { baseUrl } });
    expect((await server.request('GET', '/api/account')).body.data.domain).toBe(baseUrl);
    expect(await linkIntoTeam()).toContain(`${origin}/admin/join#`);
    await server.request('PUT', '/api/settings', { body: { baseUrl: 'https://go.example.com' } });
    expect(await linkIntoTeam()).toContain('https://go.example.com/admin/join#');
    expect(await linkToInstance()).toContain('https://go.example.com/admin/register#');
  });

  /** The link of an invitation that is asked for by another name of the server; fetch writes the Host header itself. */
  function askedAs(host: string, path: string, authorization: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { host, authorization, 'content-type': 'application/json' };
      const asked = request(
        { host: '127.0.0.1', port: server.port, method: 'POST', path, headers },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          reply.on('end', () => resolve(JSON.parse(text).link));
        },
      );
      asked.on('error', reject).end(JSON.stringify({ role: 'viewer' }));
    });
  }

  test('keeps its port and its root over a restart', async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-sharing-'));
    try {
      await start({ folder });
      const before = await shared();
      const key = server.key;
      await server.close();
      await start({ folder });
      server.app.startJobs();
      await expect
        .poll(async () => (await server.request('GET', '/api/sharing', { key })).body.data.https)
        .toEqual(before.https);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('reports that its port is in use, and uses another one on request', async () => {
    await start();
    const port = await freePort();
    const squatter = createServer().listen(port, lan);
    try {
      await server.request('PUT', '/api/settings', { body: { sharingPort: port, sharing: true } });
      await expect
        .poll(async () => (await state()).httpsProblem)
        .toEqual({ code: 'port_taken', message: `Port ${port} is in use by another program.` });
      expect((await state()).https).toBeNull();
      await server.request('PUT', '/api/settings', { body: { sharingPort: null } });
      await expect.poll(async () => (await state()).https).not.toBeNull();
      expect((await server.request('GET', '/api/settings')).body.data.sharingPort).toBeGreaterThanOrEqual(
        8443,
      );
    } finally {
      squatter.close();
    }
  });

  test('accepts no key from another machine without encryption, until an administrator agrees (T-05)', async () => {
    await start();
    await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'open' } });
    const { https } = await shared();
    const authorization = { authorization: `Bearer ${server.key}` };
    const account = () => askFromElsewhere(server.port, '/api/account', authorization);

    const refused = await account();
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      403,
      {
        error: 1,
        message: `Keys are taken over HTTPS only. Use ${https.urls[0]}.`,
        code: 'encryption_required',
      },
    ]);
    expect(await askFromElsewhere(server.port, '/admin/links?a=1')).toMatchObject({
      status: 307,
      location: `${https.urls[0]}/admin/links?a=1`,
    });
    expect((await askFromElsewhere(server.port, '/api/meta')).status).toBe(200);
    expect((await askFromElsewhere(server.port, '/open')).location).toBe('https://example.com/');
    // What this machine asks of its own address goes through no network.
    expect((await atLan('/api/account', authorization)).status).toBe(200);

    await server.request('PUT', '/api/settings', { body: { plainSharing: true } });
    expect((await account()).status).toBe(200);
    expect((await askFromElsewhere(server.port, '/admin/')).status).toBe(200);
    expect((await state()).plain).toBe(true);
  });

  test('is controlled by administrators', async () => {
    await start();
    expect((await server.request('GET', '/api/sharing', { key: null })).status).toBe(401);
  });
});

test('two instances find each other by multicast DNS', { timeout: 20_000 }, async (context) => {
  const hasNetwork = networkAddresses(networkInterfaces()).some((address) => isIPv4(address));
  context.skip(!hasNetwork, 'this machine has no address of a network to tell of');
  const errors: Error[] = [];
  const options = { addresses: () => ['127.0.0.1'], onError: (error: Error) => errors.push(error) };
  const one = mdnsDiscovery(options);
  const other = mdnsDiscovery(options);
  try {
    const fingerprint = `${'AB:'.repeat(31)}CD`;
    one.announce({
      name: 'Waypost on One\u0007',
      port: 8420,
      host: 'one.local',
      https: { port: 8443, fingerprint },
    });
    const found = await other.find();
    context.skip(
      found.length === 0 && errors.length > 0,
      `multicast does not work here: ${errors[0]?.message}`,
    );
    expect(found).toContainEqual({
      name: 'Waypost on One',
      url: expect.stringMatching(/^http:\/\/[\d.]+:8420$/),
      secureUrl: expect.stringMatching(/^https:\/\/[\d.]+:8443$/),
      fingerprint,
    });
    expect(await one.find()).toEqual([]);
    one.withdraw();
  } finally {
    await one.end();
    await other.end();
  }
});
