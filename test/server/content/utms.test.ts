import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RawReply, startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const post = (path: string, body: object): Promise<RawReply> => server.request('POST', path, { body });
const details = async (id: number) => (await server.request('GET', `/api/url/${id}`)).body.details;
let count = 0;
let name: string;
let template: number;
beforeEach(async () => {
  count += 1;
  name = `Ｍail ${count}`;
  const body = { name, source: 'mail & more', medium: 'e-mail' };
  template = (await post('/api/utm/add', body)).body.id;
});

test('a template is written into the destination, beside what is there, and applies to visitors', async () => {
  const url = 'https://example.com/a%2fb?x=1&utm_source=old&utm_term=kept#part';
  const { shorturl } = (await post('/api/url/add', { url, utm: name.toUpperCase() })).body;
  const location = (await fetch(shorturl, { redirect: 'manual' })).headers.get('location');
  expect(location).toBe(
    'https://example.com/a%2fb?x=1&utm_source=mail%20%26%20more&utm_medium=e-mail&utm_term=kept#part',
  );
});

test('a link is found by the destination that the template produces', async () => {
  const body = { url: `https://example.com/${count}`, utm: template, ifexists: 'return' };
  const first = (await post('/api/url/add', body)).body;
  expect((await post('/api/url/add', body)).body).toEqual({ ...first, existing: true });
  expect((await post('/api/url/add', { ...body, utm: null })).body.existing).toBe(false);
});

test('an update, a bulk change and an import apply it, and undo removes it', async () => {
  const { id } = (await post('/api/url/add', { url: 'https://example.com/' })).body;
  const marked = 'https://example.com/?utm_source=mail%20%26%20more&utm_medium=e-mail';
  const bulk = await post('/api/urls/bulk', { ids: [id], action: 'utm', value: name });
  expect((await details(id)).longurl).toBe(marked);
  await post(`/api/undo/${bulk.body.data.undo}`, {});
  expect((await details(id)).longurl).toBe('https://example.com/');
  await server.request('PUT', `/api/url/${id}/update`, { body: { utm: template } });
  expect((await details(id)).longurl).toBe(marked);
  await post('/api/urls/bulk', { ids: [id], action: 'utm', value: null });
  expect((await details(id)).longurl).toBe('https://example.com/');
  const rows = [
    { url: 'https://example.com/', utm: name },
    { url: 'https://example.com/', utm: 'unknown' },
  ];
  const [made, refused] = (await post('/api/urls/import', { rows, conflict: 'skip' })).body.data.rows;
  expect((await details(made.id)).longurl).toBe(marked);
  expect(refused).toMatchObject({ outcome: 'problem', code: 'unknown_utm' });
});

test('templates are listed by name, updated, and deleted without changing a link', async () => {
  const { id } = (await post('/api/url/add', { url: 'https://example.com/', utm: template })).body;
  const change = await server.request('PUT', `/api/utm/${template}/update`, {
    body: { name: 'aaa', source: null, content: 'top' },
  });
  expect(change.body).toMatchObject({ error: 0, version: 2 });
  const { utms } = (await server.request('GET', '/api/utms')).body.data;
  expect(utms[0]).toEqual({
    id: template,
    name: 'aaa',
    source: null,
    medium: 'e-mail',
    campaign: null,
    term: null,
    content: 'top',
    version: 2,
  });
  await server.request('DELETE', `/api/utm/${template}/delete`);
  expect((await server.request('GET', '/api/utms')).body.data.utms).not.toContainEqual(utms[0]);
  expect((await details(id)).longurl).toContain('utm_medium=e-mail');
  expect((await post('/api/url/add', { url: 'https://example.com/', utm: template })).body).toMatchObject({
    code: 'unknown_utm',
    field: 'utm',
  });
});

test('a template needs a unique name and a value, and an edit of an old version is refused', async () => {
  expect((await post('/api/utm/add', { name: name.toLowerCase(), source: 'x' })).body).toMatchObject({
    code: 'name_taken',
    field: 'name',
  });
  expect((await post('/api/utm/add', { name: 'Nothing', source: '' })).body.code).toBe('required');
  const path = `/api/utm/${template}/update`;
  await server.request('PUT', path, { body: { term: 'one' } });
  const outdated = await server.request('PUT', path, { body: { term: 'two', version: 1 } });
  expect(outdated).toMatchObject({
    status: 409,
    body: { code: 'changed', data: { term: 'one', version: 2 } },
  });
});

test("nobody can use, change or delete somebody else's, and free plans have none", async () => {
  const other = secondAccount(server, 'ursula', 1);
  const use = { body: { url: 'https://example.com/', utm: template } };
  expect((await other.request('POST', '/api/url/add', use)).body.code).toBe('unknown_utm');
  const change = { body: { source: 'x' } };
  expect((await other.request('DELETE', `/api/utm/${template}/delete`)).status).toBe(404);
  expect((await other.request('PUT', `/api/utm/${template}/update`, change)).status).toBeGreaterThan(400);
  expect(
    (await other.request('POST', '/api/utm/add', { body: { name: 'x', source: 'y' } })).body,
  ).toMatchObject({
    code: 'plan_required',
    field: 'utmtemplates',
  });
  const team = await newTeam(server, 'uwe');
  const viewer = await team.join('vera', 'viewer');
  const added = await team.owner.inTeam('POST', '/api/utm/add', { body: { name: 'x', source: 'y' } });
  expect((await viewer.inTeam('GET', '/api/utms')).body.data.utms).toHaveLength(1);
  expect((await viewer.inTeam('DELETE', `/api/utm/${added.body.id}/delete`)).status).toBe(403);
});
