/** Clients that read a record, change a field and send the whole record back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { type PictureNetwork, pictureNetwork } from '../../support/picture-network.ts';
import { addDomain } from '../../support/second-account.ts';

let server: TestApp;
let network: PictureNetwork;
beforeAll(async () => {
  network = await pictureNetwork();
  server = await startApp({ ratelimit: 1000, fetcher: network.fetcher });
});
afterAll(() => server.close());

async function read(path: string) {
  return (await server.request('GET', path)).body.data;
}

/** Sends a record back with one field changed; returns it as it is then. */
async function sendBack(path: string, update: string, change: Record<string, unknown>) {
  network.fetched.length = 0;
  const before = await read(path);
  const reply = await server.request('PUT', update, { body: { ...before, ...change } });
  expect(reply.body).toMatchObject({ error: 0 });
  expect(network.fetched).toEqual([]);
  const after = await read(path);
  expect(after).toMatchObject(change);
  return { before, after };
}

const statusOf = async (url: string) => (await fetch(new URL(url, server.origin))).status;

test('the account keeps its drawn initials', async () => {
  const { before, after } = await sendBack('/api/account', '/api/account/update', { perpage: 50 });
  expect(after.avatar).toBe(before.avatar);
  const { avatar } = (await sendBack('/api/account', '/api/account/update', { name: 'Zoe Young' })).after;
  expect(avatar).toContain('initials-ZY');
});

test('the account keeps its picture, and null still removes it', async () => {
  network.fetched.length = 0;
  const set = { body: { avatar: 'https://p.example/me.png' } };
  expect((await server.request('PUT', '/api/account/update', set)).status).toBe(200);
  expect(network.fetched).toEqual(['https://p.example/me.png']);
  const { before, after } = await sendBack('/api/account', '/api/account/update', { perpage: 100 });
  expect(after.avatar).toBe(before.avatar);
  expect(await statusOf(after.avatar)).toBe(200);
  await server.request('PUT', '/api/account/update', { body: { avatar: null } });
  expect((await read('/api/account')).avatar).toContain('initials-');
  expect(await statusOf(after.avatar)).toBe(404);
});

test('a domain keeps its logo and favicon, and null still removes them', async () => {
  const id = addDomain(server, `${anotherName('go')}.brand.example`, 1);
  const update = `/api/domain/${id}/update`;
  const set = { logo: 'https://p.example/logo.png', favicon: 'https://p.example/icon.png' };
  network.fetched.length = 0;
  expect((await server.request('PUT', update, { body: set })).status).toBe(200);
  expect(network.fetched).toEqual([set.logo, set.favicon]);
  const { before, after } = await sendBack(`/api/domain/${id}`, update, {
    redirectroot: 'https://example.com/',
  });
  expect([after.logo, after.favicon]).toEqual([before.logo, before.favicon]);
  expect([await statusOf(after.logo), await statusOf(after.favicon)]).toEqual([200, 200]);
  await server.request('PUT', update, { body: { logo: null } });
  expect(await read(`/api/domain/${id}`)).toMatchObject({ logo: null, favicon: before.favicon });
});

test('a domain that shows a bio page keeps the redirect that it had before', async () => {
  const id = addDomain(server, `${anotherName('bio')}.brand.example`, 1);
  const [path, update] = [`/api/domain/${id}`, `/api/domain/${id}/update`];
  const root = 'https://example.com/root';
  const { id: bioid } = (await server.request('POST', '/api/bio/add', { body: { name: 'Front' } })).body;
  await server.request('PUT', update, { body: { redirectroot: root } });
  await server.request('PUT', update, { body: { bioid } });
  expect(await read(path)).toMatchObject({ bioid, redirectroot: null });
  await sendBack(path, update, { redirect404: 'https://example.com/lost' });
  await server.request('PUT', update, { body: { bioid: null } });
  expect(await read(path)).toMatchObject({ bioid: null, redirectroot: root });
  await server.request('PUT', update, { body: { redirectroot: null } });
  expect(await read(path)).toMatchObject({ redirectroot: null });
});

test('the address of a picture of another account is fetched like any other', async () => {
  network.fetched.length = 0;
  const other = `${server.origin}/avatar/initials-B-12.svg`;
  await server.request('PUT', '/api/account/update', { body: { avatar: other } });
  expect(network.fetched).toEqual([other]);
});
