import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import type { TestApp } from '../../support/app.ts';
import { browser, removeFolders, startEdge, startOrigin, type TestEdge } from '../../support/fleet.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';
import { visit } from '../../support/visits.ts';

if (!hasNats) console.warn(natsMissing);

const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)("the options at an origin's start", () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
  let nats: NatsServer;
  let server: TestApp;
  let edge: TestEdge;
  let id = 0;

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats, { folder, uncountedAddresses: ['127.0.0.1'] });
    edge = await startEdge(server);
    const body = { url: 'https://example.org/', custom: 'told' };
    id = (await server.request('POST', '/api/url/add', { body })).body.id;
  });

  afterAll(async () => {
    await edge.close();
    await server.close();
    await nats.close();
    removeFolders(edge, { folder });
  });

  const statusAt = async (host: string) =>
    (await visit({ port: edge.port }, '/told', { headers: { ...browser, Host: host } })).status;

  it('determine where its edges respond, and whom they do not count', async () => {
    await expect.poll(() => statusAt('go.test'), calmly).toBe(302);
    for (let more = 0; more < 2; more += 1) expect(await statusAt('go.test')).toBe(302);
    await server.close();
    server = await startOrigin(nats, { folder, baseUrl: 'http://moved.test' });
    await expect.poll(() => statusAt('moved.test'), calmly).toBe(302);
    expect(await statusAt('go.test')).toBe(404);
    const clicks = async () => (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
    // The visits of before would be here, too: what edges ship keeps its order.
    await expect.poll(clicks, calmly).toBe(1);
  });
});
