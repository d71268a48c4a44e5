import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { joinFleet } from '../../../server/network/fleet/join.ts';
import { keepMembership } from '../../../server/network/fleet/membership.ts';
import { dayMs } from '../../../server/visits/clicks/dimensions.ts';
import { runningClock } from '../../support/clock.ts';
import { newToken, removeFolders, startEdge, startOrigin } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';
import { tappedLine } from '../../support/tapped-line.ts';
import { some } from '../../support/trials.ts';

if (!hasNats) console.warn(natsMissing);

/** Within how long the origin has all that happened while it slept. More misses than sixty a minute are refused. */
const minute = { timeout: 60_000, interval: 700 };
/** Between two of the day's visits. */
const stepMs = dayMs / 8;

describe.skipIf(!hasNats)('a desktop as origin that slept for a day', { tags: 'long' }, () => {
  it.each(
    some(
      [
        { how: 'are gone', isTold: true },
        { how: 'stay silent', isTold: false },
      ],
      { from: 0, short: 1 },
    ),
  )(
    'shows the clicks of the day within a minute, where its old connections $how',
    { timeout: 200_000 },
    async ({ isTold }) => {
      const nats = await startNats(engineUsers(natsUsers));
      const line = await tappedLine(nats.port);
      // The engine's clock is that of the machine, and what an edge says of later than now is told as now.
      const [clock, edgeClock] = [runningClock(), runningClock()];
      for (const each of [clock, edgeClock]) each.jump(-dayMs);
      const server = await startOrigin({ url: `nats://127.0.0.1:${line.port}` }, { clock });
      const { token } = await newToken(server);
      const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
      const membership = await joinFleet({ folder, token, version: '0.0.0-test', now: server.clock.now() });
      keepMembership(folder, { ...membership, url: nats.url });
      const edge = await startEdge(server, { folder, now: edgeClock.now });
      onTestFinished(async () => {
        await edge.close();
        await server.close();
        await line.close();
        await nats.close();
        removeFolders(edge);
      });
      const add = async (custom: string): Promise<number> =>
        (await server.request('POST', '/api/url/add', { body: { url: 'https://example.org/', custom } })).body
          .id;
      const status = async (path: string) => (await edge.visit(path)).status;
      const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
      const id = await add('asleep');
      await expect.poll(() => status('/asleep'), minute).toBe(302);

      line.sleep();
      const visited = [dateOf(edgeClock.now())];
      for (let visit = 0; visit < 8; visit += 1) {
        edgeClock.advance(stepMs);
        expect(await status('/asleep')).toBe(302);
        visited.unshift(dateOf(edgeClock.now()));
      }
      server.clock.jump(dayMs);
      line.wake(isTold);

      const shown = async () => (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
      await expect.poll(shown, minute).toBe(9);
      const { data } = (await server.request('GET', '/api/clicks?limit=9')).body;
      expect(data.clicks.map(({ date }: { date: string }) => date.slice(0, 10))).toEqual(visited);
      await add('awake');
      await expect.poll(() => status('/awake'), minute).toBe(302);
      const states = async () =>
        (await server.request('GET', '/api/fleet/edges')).body.data.edges.map(
          ({ problem, state, waiting }: Record<string, unknown>) => ({ problem, state, waiting }),
        );
      await expect.poll(states, minute).toEqual([{ problem: null, state: 'current', waiting: 0 }]);
    },
  );
});
