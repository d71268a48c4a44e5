import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import type { TestApp } from '../../support/app.ts';
import { visit, visitSecurely } from '../../support/domain-bench.ts';
import { removeFolders, startEdge, startOrigin, type TestEdge } from '../../support/fleet.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';
import { type Pebble, startPebble } from '../../support/pebble.ts';
import { providePebble } from '../../support/provision.ts';

if (!hasNats) console.warn(natsMissing);
const hasPebble = await providePebble();
const calmly = { timeout: 30_000, interval: 250 };
const challenges = '/.well-known/acme-challenge/';

describe.skipIf(!hasNats || !hasPebble)('HTTPS on an edge', () => {
  let nats: NatsServer;
  let server: TestApp;
  let edge: TestEdge;
  let pebble: Pebble;
  let root: string;
  let domain: number;

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats, { folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')) });
    edge = await startEdge(server);
    // Names lead to the edge alone: it is what the authority asks.
    pebble = await startPebble({ httpPort: edge.port });
    setDefaultCACertificates([...getCACertificates('default'), pebble.ownRoot]);
    await pebble.point('brand.test', '127.0.0.1');
    const changed = await server.request('PUT', '/api/settings', {
      body: {
        publicAddresses: ['127.0.0.1'],
        dnsServers: [pebble.nameServer],
        ssl: { mode: 'acme', acmeDirectory: pebble.directory, acmeEmail: 'owner@example.com' },
      },
    });
    expect(changed.status).toBe(200);
    const added = await server.request('POST', '/api/domain/add', { body: { domain: 'brand.test' } });
    expect(added.status).toBe(201);
    domain = added.body.id;
    await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.org/landed', custom: 'go', domain },
    });
    root = await pebble.issuingRoot();
  }, 60_000);

  afterAll(async () => {
    await pebble.close();
    await edge.close();
    await server.close();
    await nats.close();
    removeFolders(edge, server);
  });

  const secured = async (): Promise<string> =>
    (await visitSecurely(edge.httpsPort, 'brand.test', '/go', root).catch(() => ({ head: '' }))).head;

  it('works with a certificate that the origin ordered and the authority validated at the edge', async () => {
    await server.request('POST', '/api/domains/sync');
    await expect.poll(secured, calmly).toContain('Location: https://example.org/landed\r\n');
    expect(await visit(edge.port, `brand.test:${edge.port}`, '/go?a=b')).toEqual({
      status: 307,
      location: `https://brand.test:${edge.httpsPort}/go?a=b`,
    });
    await expect(visitSecurely(edge.httpsPort, 'other.test', '/', root)).rejects.toThrow();
    for (const token of ['unknown', '..%2f', 'x'.repeat(4_000), '*', '>']) {
      expect((await visit(edge.port, 'brand.test', challenges + token)).status).toBe(404);
    }
  });

  it("stores its key only encrypted in the edge's folder, and not in its log", () => {
    const folder = join(edge.folder, 'certificates');
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(kept).toHaveLength(1);
    expect(kept.join() + edge.lines.join()).not.toMatch(/PRIVATE KEY|brand\.test.*BEGIN/);
  });

  it('works after a start without the engine', async () => {
    const { folder } = edge;
    await edge.close();
    await nats.kill();
    edge = await startEdge(server, { folder });
    expect(await secured()).toContain('302 Found');
    await nats.restart();
  });

  it('skips damaged files in the folder, and gets them again', async () => {
    const { folder } = edge;
    await edge.close();
    const [name = ''] = readdirSync(join(folder, 'certificates'));
    writeFileSync(join(folder, 'certificates', name), 'rubbish');
    edge = await startEdge(server, { folder });
    await expect.poll(secured, calmly).toContain('302 Found');
    expect(edge.lines.join('')).toContain('an unreadable certificate was skipped');
  });

  it('ends with its domain', async () => {
    const deleted = await server.request('DELETE', `/api/domain/${domain}/delete`);
    expect(deleted.body).toMatchObject({ error: 0 });
    await expect.poll(secured, calmly).toBe('');
    expect(readdirSync(join(edge.folder, 'certificates'))).toEqual([]);
  });
});
