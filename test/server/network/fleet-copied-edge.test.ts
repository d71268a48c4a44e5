import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleetBench, removeFolders, startEdge, type TestEdge } from '../../support/fleet.ts';
import { hasNats, natsMissing } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const calmly = { timeout: 40_000, interval: 250 };

describe.skipIf(!hasNats)('the visits of an edge', { tags: 'long' }, () => {
  const fleet = fleetBench();

  async function addLink(alias: string): Promise<number> {
    const body = { url: 'https://example.org/', custom: alias };
    return (await fleet.server.request('POST', '/api/url/add', { body })).body.id;
  }

  async function visit(edge: TestEdge, alias: string, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1)
      await expect.poll(async () => (await edge.visit(`/${alias}`)).status, calmly).toBe(302);
  }

  const clicksOf = async (id: number): Promise<number> =>
    (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;

  it('count once each on it and on a copy of its folder that runs on another machine', async () => {
    const id = await addLink('on-both');
    await visit(fleet.edge, 'on-both', 1);
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    await fleet.nats.kill();
    // Waits in the original and in the copy.
    await visit(fleet.edge, 'on-both', 2);
    const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
    cpSync(fleet.edge.folder, folder, { recursive: true });
    const copy = await startEdge(fleet.server, { folder });
    await visit(copy, 'on-both', 3);
    await visit(fleet.edge, 'on-both', 4);
    await fleet.nats.restart();
    await expect.poll(() => clicksOf(id), calmly).toBe(10);
    await visit(copy, 'on-both', 5);
    await visit(fleet.edge, 'on-both', 6);
    await expect.poll(() => clicksOf(id), calmly).toBe(21);
    await copy.close();
    removeFolders(copy);
  });

  it('count once each after its folder was put back as it was before', async () => {
    const id = await addLink('put-back');
    await visit(fleet.edge, 'put-back', 1);
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const { folder } = fleet.edge;
    await fleet.edge.close();
    const backup = `${folder}-backup`;
    cpSync(folder, backup, { recursive: true });
    fleet.edge = await startEdge(fleet.server, { folder });
    await visit(fleet.edge, 'put-back', 2);
    await expect.poll(() => clicksOf(id), calmly).toBe(3);
    await fleet.edge.close();
    rmSync(folder, { recursive: true });
    cpSync(backup, folder, { recursive: true });
    rmSync(backup, { recursive: true });
    fleet.edge = await startEdge(fleet.server, { folder });
    await visit(fleet.edge, 'put-back', 3);
    await expect.poll(() => clicksOf(id), calmly).toBe(6);
  });
});
