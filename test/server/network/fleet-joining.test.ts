import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { joinFleet } from '../../../server/network/fleet/join.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { readToken, writeToken } from '../../../server/network/fleet/token.ts';
import { fleetBench, newToken, removeFolders, startEdge, startOrigin } from '../../support/fleet.ts';
import { anotherName } from '../../support/names.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';
import { tappedLine } from '../../support/tapped-line.ts';

if (!hasNats) console.warn(natsMissing);

/** More misses than sixty a minute are refused. */
const calmly = { timeout: 40_000, interval: 1_000 };

describe.skipIf(!hasNats)('an edge that joins', () => {
  const fleet = fleetBench();

  it('responds under its own addresses, and under no other', async () => {
    const addresses = ['203.0.113.7:8080', '2001:db8::7'];
    const edge = await startEdge(fleet.server, { addresses });
    onTestFinished(async () => {
      await edge.close();
      removeFolders(edge);
    });
    const alias = anotherName('near');
    const body = { url: 'https://example.org/', custom: alias };
    expect((await fleet.server.request('POST', '/api/url/add', { body })).body).toMatchObject({ error: 0 });
    await expect.poll(async () => (await edge.visit(`/${alias}`)).status, calmly).toBe(302);
    const statusUnder = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { port } = edge;
        const asked = request({ host: '127.0.0.1', port, path: `/${alias}`, headers: { host } }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        });
        asked.once('error', reject).end();
      });
    expect(await statusUnder('203.0.113.7:8080')).toBe(302);
    expect(await statusUnder('[2001:db8::7]')).toBe(302);
    expect(await statusUnder('203.0.113.8')).toBe(404);
  });

  it('gets its reply, and its token is not lost, while the engine stores nothing', async () => {
    const { token } = await newToken(fleet.server, 'Rome');
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    // As while three engines choose who leads.
    await engine.manager.streams.delete(fleetSubjects.state.stream);
    await engine.close();
    const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
    onTestFinished(() => removeFolders({ folder }));
    const joined = await joinFleet({ folder, token, version: '1', now: fleet.server.clock.now() });
    expect(joined.name).toBe('Rome');
    // It comes back with everything once the origin has looked.
    fleet.server.clock.advance(61_000);
    const edge = await startEdge(fleet.server, { folder });
    await edge.close();
  });

  it('waits for an origin that is about to return, as after the loss of an engine of three', {
    tags: 'long',
  }, async () => {
    const line = await tappedLine(fleet.nats.port);
    const read = readToken((await newToken(fleet.server, 'Lima')).token);
    if (!read) throw new Error('the origin gave a token that cannot be read');
    const token = writeToken({ ...read, url: `nats://127.0.0.1:${line.port}` });
    const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
    onTestFinished(async () => {
      await line.close();
      removeFolders({ folder });
    });
    const { folder: place, clock } = fleet.server;
    await fleet.server.close();
    const joining = joinFleet({ folder, token, version: '1', now: clock.now() });
    const asked = () => line.heard().toString('latin1').split('PUB waypost.join ').length - 1;
    await expect.poll(asked, calmly).toBeGreaterThan(3);
    fleet.server = await startOrigin(fleet.nats, { folder: place, clock });
    expect((await joining).name).toBe('Lima');
  });

  it('counts as up to date while it has all changes, whatever else it received', async () => {
    const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0];
    await expect.poll(shown, calmly).toMatchObject({ state: 'current', lag: { messages: 0, ms: 0 } });
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    onTestFinished(() => engine.close());
    // As what has edges compare what they have, it changes nothing.
    await engine.streams.publish(fleetSubjects.changes.subject, 'nothing new');
    await expect.poll(shown, calmly).toMatchObject({ state: 'current', lag: { messages: 0, ms: 0 } });
  });
});
