import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectEngine, type Engine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import type { TestApp } from '../../support/app.ts';
import { removeFolders, startEdge, startOrigin, type TestEdge } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

/** More misses than sixty a minute are refused. */
const calmly = { timeout: 30_000, interval: 500 };
const { stream } = fleetSubjects.changes;
/** What changes were published under before edges could have the engine write there. */
const formerSubject = 'waypost.changes';

/** Has the engine hold its changes as it did before: each message under its former subject, with its number. */
async function asBefore({ manager, streams }: Engine): Promise<number> {
  const { config, state } = await manager.streams.info(stream);
  const messages = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
    messages.push(await manager.streams.getMessage(stream, { seq }));
  await manager.streams.delete(stream);
  await manager.streams.add({ ...config, subjects: [formerSubject] });
  for (const message of messages) {
    if (message) await streams.publish(formerSubject, message.data, { headers: message.header });
  }
  return messages.length;
}

it.skipIf(!hasNats)(
  'a fleet continues from changes that a previous version published under another subject',
  { tags: 'long' },
  async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const engine = await connectEngine({ url: nats.url, ...natsUsers }, 'waypost-test');
    const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
    let server: TestApp = await startOrigin(nats, { folder });
    const edges: TestEdge[] = [await startEdge(server)];
    onTestFinished(async () => {
      for (const edge of edges) await edge.close();
      await server.close();
      await engine.close();
      await nats.close();
      removeFolders(...edges, server);
    });
    const [edge] = edges as [TestEdge];
    const add = async (custom: string): Promise<number> => {
      const body = { url: 'https://example.org/', custom };
      return (await server.request('POST', '/api/url/add', { body })).body.id;
    };
    const clicksOf = async (id: number) =>
      (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
    const answers = (at: TestEdge, path: string) =>
      expect.poll(async () => (await at.visit(path)).status, calmly).toBe(302);

    const id = await add('before');
    await answers(edge, '/before');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    await server.close();
    await edge.visit('/before');
    expect(await asBefore(engine)).toBeGreaterThan(1);

    server = await startOrigin(nats, { folder });
    expect((await engine.manager.streams.info(stream)).config.subjects).toEqual([fleetSubjects.changes.all]);
    const after = await add('after');
    await answers(edge, '/after');
    await answers(edge, '/before');
    await expect.poll(() => clicksOf(id), calmly).toBe(3);
    await expect.poll(() => clicksOf(after), calmly).toBe(1);
    edges.push(await startEdge(server));
    await answers(edges[1] as TestEdge, '/before');
    const states = async () =>
      (await server.request('GET', '/api/fleet/edges')).body.data.edges.map(
        ({ state }: { state: string }) => state,
      );
    await expect.poll(states, calmly).toEqual(['current', 'current']);
  },
);
