import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../server/platform/database/connect.ts';
import { fleetBench, startEdge } from '../../support/fleet.ts';
import { hasNats, natsMissing } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const calmly = { timeout: 40_000, interval: 700 };
const visits = 5_000;

describe.skipIf(!hasNats)('an edge whose replica is damaged in the middle', { tags: 'long' }, () => {
  const fleet = fleetBench();

  async function addLink(custom: string): Promise<number> {
    const body = { url: 'https://example.org/', custom };
    const { id } = (await fleet.server.request('POST', '/api/url/add', { body })).body;
    await expect.poll(async () => (await fleet.edge.visit(`/${custom}`)).status, calmly).toBe(302);
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    return id;
  }

  const clicksOf = async (id: number) =>
    (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;

  /**
   * Writes visits into the replica that answers, as if the engine had been away, and damages one page of each table.
   */
  function fillAndDamage(link: number, tables: readonly string[]): void {
    const name = readFileSync(join(fleet.edge.folder, 'current'), 'utf8').trim();
    const file = join(fleet.edge.folder, name, 'waypost.sqlite');
    const replica = connect(file, 'FULL');
    const columns = replica
      .prepare<[], string>(
        "SELECT name FROM pragma_table_info('clicks') WHERE name NOT IN ('id', 'link_id', 'at')",
      )
      .pluck()
      .all();
    const first = Number(replica.prepare('SELECT position FROM rollup_position').pluck().get()) + 1;
    replica.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${visits - 1})
      INSERT INTO clicks (id, link_id, at, ${columns.join(', ')})
      SELECT ${first} + i, ${link}, ${fleet.server.clock.now()}, ${columns
        .map((column) =>
          column === 'visitor' ? '1000 + i' : column === 'rule' || column === 'address' ? 'NULL' : '0',
        )
        .join(', ')} FROM n`);
    const pages = tables.map((table) => {
      const leaves = replica
        .prepare<[string], number>(
          "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path",
        )
        .pluck()
        .all(table);
      return leaves[Math.floor(leaves.length / 2)] as number;
    });
    const size = Number(replica.pragma('page_size', { simple: true }));
    replica.pragma('wal_checkpoint(TRUNCATE)');
    replica.close();
    const written = openSync(file, 'r+');
    for (const page of pages) writeSync(written, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
    closeSync(written);
  }

  /** Waits until what was saved is told, and counted; the one lost page holds few of the visits. */
  async function isSaved(id: number, from: number): Promise<void> {
    const told = () =>
      /, (\d+) could be read and are shipped, (\d+) could not/.exec(fleet.edge.lines.slice(from).join(''));
    await expect.poll(told, calmly).not.toBeNull();
    const [, , lost] = told()?.map(Number) ?? [];
    expect([Number(lost) > 0, Number(lost) < 200]).toEqual([true, true]);
    // What was shipped before the damage was met, and what was saved: all but what nobody can read.
    await expect.poll(() => clicksOf(id), calmly).toBe(1 + visits - Number(lost));
  }

  it('starts, serves, and counts each visit that can be read', async () => {
    const id = await addLink('unopened');
    await fleet.edge.close();
    fillAndDamage(id, ['settings', 'clicks']);
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    await isSaved(id, 0);
    await expect.poll(async () => (await fleet.edge.visit('/unopened')).status, calmly).toBe(302);
  });

  it('continues while running, and ships what comes after the damage', { tags: 'long' }, async () => {
    const id = await addLink('unread');
    const told = fleet.edge.lines.length;
    await fleet.nats.kill();
    fillAndDamage(id, ['clicks']);
    await fleet.nats.restart();
    await isSaved(id, told);
    expect((await fleet.edge.visit('/unread')).status).toBe(302);
    await expect
      .poll(async () => (await fleet.edge.visit('/metrics')).text, calmly)
      .toContain('waiting_clicks 0\n');
    expect(await clicksOf(id)).toBeLessThanOrEqual(visits + 2);
  });
});
