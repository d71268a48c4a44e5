import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

/** A slash in the names of channels nests them: `print/2027` is below `print`. */
let server: TestApp;
const channels: Record<string, number> = {};
const links: Record<string, number> = {};
const add = async (path: string, body: object): Promise<number> =>
  (await server.request('POST', `/api/${path}/add`, { body })).body.id;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  for (const name of [
    'Print',
    'PRINT/2027',
    'print/2027/Fair',
    'print 2',
    'printed',
    'print0',
    'Mail/print/x',
  ])
    channels[name] = await add('channel', { name });
  for (const [alias, names] of [
    ['top', ['Print']],
    ['below', ['PRINT/2027']],
    ['deep', ['print/2027/Fair', 'Print']],
    ['beside', ['print 2', 'printed', 'print0', 'Mail/print/x']],
    ['none', []],
  ] as const) {
    const channel = names.map((name) => channels[name]);
    links[alias] = await add('url', { url: `https://example.com/${alias}`, custom: alias, channel });
    await visit(server, `/${alias}`);
  }
});
afterAll(() => server.close());

const get = async (path: string) => (await server.request('GET', path)).body.data;
const aliasesOf = async (query: string) => {
  const { urls, result } = await get(`/api/urls?${query}`);
  expect(urls).toHaveLength(result);
  return urls.map(({ alias }: { alias: string }) => alias).sort();
};
const print = () => channels.Print;

test('the links of a channel are its own, and with below=1 those of all channels below it, each once', async () => {
  expect(await aliasesOf(`channel=${print()}`)).toEqual(['deep', 'top']);
  expect(await aliasesOf(`channel=${print()}&below=0`)).toEqual(['deep', 'top']);
  expect(await aliasesOf(`channel=${print()}&below=1`)).toEqual(['below', 'deep', 'top']);
  expect(await aliasesOf(`channel=${channels['PRINT/2027']}&below=1`)).toEqual(['below', 'deep']);
  expect(await aliasesOf(`channel=${channels['print 2']}&below=1`)).toEqual(['beside']);
});

test.each(['q=example', 'status=active', 'order=clicks', 'order=name&domain=localhost'])(
  'beside %s too',
  async (others) => {
    const narrowed = others.replace('localhost', `localhost:${server.port}`);
    expect(await aliasesOf(`channel=${print()}&below=1&${narrowed}`)).toEqual(['below', 'deep', 'top']);
  },
);

test('renaming moves a channel immediately', async () => {
  const rename = (name: string) =>
    server.request('PUT', `/api/channel/${channels['PRINT/2027']}/update`, { body: { name } });
  const query = `channel=${print()}&below=1&q=example`;
  expect(await aliasesOf(query)).toContain('below');
  await rename('web/2027');
  expect(await aliasesOf(query)).toEqual(['deep', 'top']);
  await rename('print/2027');
  expect(await aliasesOf(query)).toEqual(['below', 'deep', 'top']);
});

const oddNames = ['a//b', '/a', 'a/', '/', 'a/ /b', 'a/\u200b/b'];
const turned = 'print\u202e/7202';
test.each([...oddNames.map((name) => [name, 'empty_part']), [turned, 'turned_text']])(
  '%j nests nothing: no channel is called so',
  async (name, code) => {
    const refusal = { error: 1, code, field: 'name' };
    expect((await server.request('POST', '/api/channel/add', { body: { name } })).body).toMatchObject(
      refusal,
    );
    const path = `/api/channel/${channels['print 2']}/update`;
    const renamed = await server.request('PUT', path, { body: { name } });
    expect([renamed.status, renamed.body]).toMatchObject([400, refusal]);
  },
);

test.each([...oddNames, turned])('an existing channel named %j can be edited, and renamed', async (name) => {
  const id = await add('channel', { name: 'From before' });
  const { main } = server.databases;
  main.prepare('UPDATE channels SET name = ?, name_folded = ? WHERE id = ?').run(name, name, id);
  const edit = (body: object) => server.request('PUT', `/api/channel/${id}/update`, { body });
  expect((await edit({ name, description: 'Kept' })).body).toMatchObject({ error: 0, name });
  // A tag that is called like it goes into it.
  const rows = [{ url: 'https://example.com/tagged', tags: [name] }];
  const imported = (await server.request('POST', '/api/urls/import', { body: { rows } })).body;
  expect(imported.data.channels).toEqual([]);
  expect((await get(`/api/channel/${id}`)).items).toHaveLength(1);
  await server.request('DELETE', `/api/channel/${id}/delete`);
  expect((await server.request('POST', `/api/channel/${id}/restore`)).body).toMatchObject({
    error: 0,
    name,
  });
  expect((await edit({ name: `Renamed ${id}` })).body.error).toBe(0);
});

test('parts of imported tags that cannot be names are dropped', async () => {
  const tags = ['/tagged//deep/', 'Tagged/Deep', '//', 'tag\u202eged\u202c'];
  const rows = [{ url: 'https://example.com/tags', custom: 'tags', tags }];
  const { channels: made } = (await server.request('POST', '/api/urls/import', { body: { rows } })).body.data;
  expect(made.toSorted()).toEqual(['tagged', 'tagged/deep']);
});

test('nothing is below a deleted channel, until it is restored', async () => {
  await server.request('DELETE', `/api/channel/${channels['PRINT/2027']}/delete`);
  expect(await aliasesOf(`channel=${print()}&below=1`)).toEqual(['deep', 'top']);
  await server.request('POST', `/api/channel/${channels['PRINT/2027']}/restore`);
  expect(await aliasesOf(`channel=${print()}&below=1`)).toEqual(['below', 'deep', 'top']);
});

test('a channel lists its items, and those below it on request', async () => {
  const titles = async (query: string) => {
    const { items, result } = await get(`/api/channel/${print()}?${query}`);
    expect(items).toHaveLength(result);
    return items.map(({ type, title }: { type: string; title: string }) => `${type} ${title}`).sort();
  };
  const bio = await add('bio', { name: 'Anna' });
  await server.request('POST', `/api/channel/${channels['print/2027/Fair']}/assign/bio/${bio}`);
  await server.request('POST', `/api/channel/${channels['PRINT/2027']}/assign/bio/${bio}`);
  expect(await titles('')).toEqual(['links deep', 'links top']);
  expect(await titles('below=1')).toEqual(['bio Anna', 'links below', 'links deep', 'links top']);
  expect(await titles('below=1&type=bio')).toEqual(['bio Anna']);
  const page = await get(`/api/channel/${print()}?below=1&limit=3&page=2`);
  expect([page.items.length, page.result, page.maxpage]).toEqual([1, 4, 2]);
});

test('statistics of a channel count the clicks below it on request', async () => {
  const clicks = async (query: string) => (await get(`/api/stats?${query}`)).clicks;
  expect(await clicks(`channel=${print()}`)).toBe(2);
  expect(await clicks(`channel=${print()}&below=1`)).toBe(3);
  expect(await clicks(`channel=${print()}&below=1&browser=Chrome`)).toBe(3);
});

test('an export and a bulk change cover what the list shows', async () => {
  const { content } = await get(`/api/urls/export?channel=${print()}&below=1&inline=1`);
  expect(['top', 'below', 'deep'].every((alias) => content.includes(`/${alias}`))).toBe(true);
  expect(content).not.toContain('/beside');
  const body = { filter: { channel: print(), below: '1' }, action: 'archive', dryrun: true };
  const { rows } = (await server.request('POST', '/api/urls/bulk', { body })).body.data;
  expect(rows.map(({ id }: { id: number }) => id).sort()).toEqual(
    [links.top, links.below, links.deep].sort(),
  );
});

test('names in other accounts do not affect nesting', async () => {
  const bert = secondAccount(server);
  const theirs = (await bert.request('POST', '/api/channel/add', { body: { name: 'print/theirs' } })).body.id;
  const body = { url: 'https://example.com/', custom: 'theirs', channel: theirs };
  await bert.request('POST', '/api/url/add', { body });
  expect(await aliasesOf(`channel=${print()}&below=1`)).not.toContain('theirs');
  expect((await bert.request('GET', `/api/urls?channel=${print()}&below=1`)).body.data.urls).toEqual([]);
  expect((await bert.request('GET', `/api/stats?channel=${print()}&below=1`)).body.data.clicks).toBe(0);
});

test('channels created by an import have different colors', async () => {
  const tags = ['first color', 'second color', 'third color'];
  const rows = [{ url: 'https://example.com/colors', custom: 'colors', tags }];
  await server.request('POST', '/api/urls/import', { body: { rows } });
  const { channels } = (await server.request('GET', '/api/channels?q=color')).body.data;
  const colors = channels.map(({ color }: { color: string | null }) => color);
  expect(colors).toHaveLength(3);
  expect(new Set(colors).size).toBe(3);
  expect(colors).not.toContain(null);
});
