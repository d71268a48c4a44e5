import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { dnsAddresses } from '../../../server/network/fleet/dns-addresses.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { type Cdn, startCdn } from '../../support/cdn.ts';
import { visit } from '../../support/domain-bench.ts';
import { fleetUrl, removeFolders, startEdge, startOrigin, type TestEdge } from '../../support/fleet.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

test('the DNS gets the addresses that edges report without ports, and no local ones beside public ones', () => {
  expect(dnsAddresses(['5.6.7.8', '10.0.0.7', '5.6.7.9:8080', '2a00::7', '5.6.7.8'], [])).toEqual([
    '5.6.7.8',
    '2a00::7',
  ]);
  expect(dnsAddresses(['10.0.0.7', '[fd00::7]:8080'], ['10.0.0.1'])).toEqual(['10.0.0.7']);
  expect(dnsAddresses(['10.0.0.7', 'fd00::7'], ['10.0.0.1', '5.6.7.1'])).toEqual([]);
  expect(dnsAddresses(['edge.example.net', '10.0.0.7'], [])).toEqual(['edge.example.net']);
  expect(dnsAddresses(['not an address', '127.0.0.1:80'], [])).toEqual([]);
});

const calmly = { timeout: 20_000, interval: 700 };

describe.skipIf(!hasNats)('the DNS of a domain in a fleet', () => {
  let nats: NatsServer;
  let names: NameServer;
  let cdn: Cdn;
  let server: TestApp;
  let edge: TestEdge;
  const addresses = ['edge.example.net', '5.6.7.8', '10.0.0.7'];

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    names = await startNameServer();
    names.hosts.set('example.co.uk', { zone: true });
    names.hosts.set('edge.example.net', { A: ['5.6.7.8'] });
    for (const name of ['go', 'shop']) names.hosts.set(`${name}.example.co.uk`, { A: ['5.6.7.8'] });
    cdn = startCdn();
    server = await startOrigin(nats, {
      folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')),
      fetcher: cdn.fetcher,
    });
    const body = { publicAddresses: ['5.6.7.1'], dnsServers: [names.address] };
    expect((await server.request('PUT', '/api/settings', { body })).status).toBe(200);
  });

  afterAll(async () => {
    await edge?.close();
    await server.close();
    await nats.close();
    await names.close();
    removeFolders(server, ...(edge ? [edge] : []));
  });

  const setup = async () =>
    (await server.request('GET', '/api/domains/setup?domain=go.example.co.uk')).body.data;

  it('can lead to an edge, whose address, but not its name, is among the suggestions', async () => {
    expect(await setup()).toMatchObject({ outcome: 'mismatch', records: [{ value: '5.6.7.1' }] });
    edge = await startEdge(server, { addresses });
    await expect.poll(async () => (await setup()).outcome, calmly).toBe('passed');
    const records = [
      { type: 'A', name: 'go', value: '5.6.7.1' },
      { type: 'A', name: 'go', value: '5.6.7.8' },
    ];
    expect((await setup()).records).toEqual(records);
  });

  it('is not proved by the address of an edge alone, but by its reply for the origin, which makes links live', async () => {
    const domain = 'shop.example.co.uk';
    const { id } = (await server.request('POST', '/api/domain/add', { body: { domain } })).body;
    const state = async () => {
      expect((await server.request('POST', `/api/domain/${id}/check`)).body).toMatchObject({ error: 0 });
      return (await server.request('GET', `/api/domain/${id}/setup`)).body.data.proof.state;
    };
    expect(await state()).toBe('pending');
    cdn.origins.set(domain, edge.port);
    expect(await state()).toBe('proved');
    const body = { url: 'https://example.org/landed', custom: 'go', domain: id };
    expect((await server.request('POST', '/api/url/add', { body })).body).toMatchObject({ error: 0 });
    await server.request('POST', '/api/domains/sync');
    const landed = { status: 302, location: 'https://example.org/landed' };
    await expect.poll(() => visit(edge.port, domain, '/go'), calmly).toEqual(landed);
    // Nobody else's question has an answer there.
    const { pathname } = new URL(cdn.asked.at(-1)?.split(' ')[1] ?? '');
    expect((await visit(edge.port, 'go.example.co.uk', pathname)).status).toBe(404);
  });

  it('has the name of the origin as its target if there is one', async () => {
    names.hosts.set('links.example.net', { A: ['5.6.7.1'] });
    const publicAddresses = ['links.example.net'];
    expect((await server.request('PUT', '/api/settings', { body: { publicAddresses } })).status).toBe(200);
    expect(await setup()).toMatchObject({
      outcome: 'passed',
      records: [{ type: 'CNAME', name: 'go', value: 'links.example.net' }],
      alternative: [{ value: '5.6.7.1' }, { value: '5.6.7.8' }],
    });
    await server.request('PUT', '/api/settings', { body: { publicAddresses: ['5.6.7.1'] } });
  });

  it('stays valid while the edge and the engine are away, and after a restart of the origin', async () => {
    await edge.close();
    await nats.kill();
    const { folder, clock } = server;
    await server.close();
    server = await startApp({ baseUrl: fleetUrl, folder, clock });
    expect((await setup()).outcome).toBe('passed');
    const { edges } = (await server.request('GET', '/api/fleet/edges')).body.data;
    expect(edges).toMatchObject([{ state: 'away', addresses }]);
  });

  it('is no longer valid after the edge was revoked', async () => {
    expect((await server.request('DELETE', `/api/fleet/edge/${edge.id}/delete`)).status).toBe(200);
    expect(await setup()).toMatchObject({ outcome: 'mismatch', records: [{ value: '5.6.7.1' }] });
  });
});
