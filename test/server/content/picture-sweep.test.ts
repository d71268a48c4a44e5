/** Each change of a page looked through all pages of its account, on the thread that answers redirects. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pictureQueries } from '../../../server/content/pictures/queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { pictureNetwork } from '../../support/picture-network.ts';

let server: TestApp;
beforeAll(async () => {
  const { fetcher } = await pictureNetwork();
  server = await startApp({ fetcher, ratelimit: 1000 });
});
afterAll(() => server.close());

async function send(method: string, path: string, body?: object): Promise<number> {
  const reply = await server.request(method, path, body ? { body } : {});
  expect(reply.status).toBe(200);
  return reply.body.id;
}

const rowsOf = (table: string) =>
  server.databases.main
    .prepare(`SELECT DISTINCT * FROM ${table} ORDER BY user_id, url, trashed, resource, record_id`)
    .raw()
    .all();

/** Which pages show a picture, and which deleted ones did. */
function usesOf(name: string): string[] {
  const rows = rowsOf('page_picture_uses') as [number, string, number, string, number][];
  expect(rows).toEqual(rowsOf('page_picture_sources'));
  return rows
    .filter(([, url]) => url === picture(name))
    .map(([, , trashed, resource]) => (trashed === 1 ? `deleted ${resource}` : resource));
}

const picture = (name: string) => `https://p.example/${names[name]}.png`;
let names: Record<string, string> = {};

test('which pages show a picture is known after each change', async () => {
  names = { one: anotherName('one'), two: anotherName('two') };
  const block = { type: 'image', image: picture('one'), alt: 'A square', url: null };
  const bio = await send('POST', '/api/bio/add', {
    name: 'Ada',
    avatar: picture('two'),
    blocks: [block, block],
  });
  const splash = await send('POST', '/api/splash/add', { name: 'Sale', avatar: picture('one') });
  const content = { image: picture('one'), alt: 'A square', url: 'https://example.com/' };
  const overlay = await send('POST', '/api/overlay/add', { name: 'Sale', type: 'image', content });
  expect(usesOf('one')).toEqual(['bio', 'overlays', 'splash']);
  expect(usesOf('two')).toEqual(['bio']);

  await send('PUT', `/api/bio/${bio}/update`, { avatar: null });
  await send('PUT', `/api/splash/${splash}/update`, { banner: picture('two') });
  await send('PUT', `/api/overlay/${overlay}/update`, { content: { ...content, image: picture('two') } });
  expect(usesOf('one')).toEqual(['bio', 'splash']);
  expect(usesOf('two')).toEqual(['overlays', 'splash']);

  await send('DELETE', `/api/bio/${bio}/delete`);
  await send('DELETE', `/api/splash/${splash}/delete`);
  await send('DELETE', `/api/overlay/${overlay}/delete`);
  expect(usesOf('one')).toEqual(['deleted bio', 'deleted splash']);
  expect(usesOf('two')).toEqual(['deleted overlays', 'deleted splash']);

  await send('POST', `/api/bio/${bio}/restore`);
  expect(usesOf('one')).toEqual(['bio', 'deleted splash']);
  server.databases.main.prepare("DELETE FROM removals WHERE resource <> 'bio'").run();
  expect(usesOf('two')).toEqual([]);
});

test('without reading other pages', () => {
  const { main } = server.databases;
  const prepare = vi.spyOn(main, 'prepare');
  pictureQueries(main);
  const asked = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  const ofOneRecord = ['overlays', 'splash', 'bio'].flatMap((resource) =>
    [0, 1].map(
      (trashed) =>
        `SELECT * FROM page_picture_sources WHERE resource = '${resource}' AND record_id = 1 AND trashed = ${trashed}`,
    ),
  );
  const sweeps = asked.filter((sql) => sql.includes('page_picture_uses'));
  expect(sweeps).toHaveLength(2);
  const steps = [...sweeps, ...ofOneRecord].flatMap((sql) =>
    main
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.includes('@user') ? [{ user: 1 }] : []))
      .map(({ detail }) => detail),
  );
  expect(steps.filter((step) => /^SCAN (?!block|picture |page_picture_sources$)/.test(step))).toEqual([]);
  expect(steps.filter((step) => /^SEARCH pictures/.test(step))).toEqual(
    sweeps.map(() => expect.stringContaining('USING COVERING INDEX page_pictures_by_use')),
  );
});
