import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { authenticator } from '../../support/authenticator.ts';

let server: TestApp;
let origin: string;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-passkeys-'));
  server = await startApp({ folder });
  origin = server.origin;
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = (path: string, body?: unknown, options: { key?: string | null; origin?: string } = {}) =>
  server.request('POST', path, {
    ...(options.key !== undefined && { key: options.key }),
    body: body ?? {},
    headers: { origin: options.origin ?? origin },
  });

async function begin(key?: string) {
  const reply = await send(
    '/api/account/passkey/options',
    { current_password: administrator.password },
    { ...(key !== undefined && { key }) },
  );
  expect(reply.status).toBe(200);
  return reply.body.data.options;
}

async function add(name?: string) {
  const device = authenticator(origin);
  const credential = device.create(await begin());
  const reply = await send('/api/account/passkey/add', { credential, ...(name !== undefined && { name }) });
  expect(reply.body).toMatchObject({ error: 0 });
  return { device, id: reply.body.data.id as number };
}

async function signInOptions() {
  return (await send('/api/auth/passkey/options', {}, { key: null })).body.data.options;
}

async function signIn(device: ReturnType<typeof authenticator>) {
  const credential = device.get(await signInOptions());
  return send('/api/auth/passkey/login', { credential }, { key: null });
}

const list = async () => (await server.request('GET', '/api/account/passkeys')).body.data.passkeys;

describe('a passkey', () => {
  test('signs in without a user name and without a code, and the session works', async () => {
    const { device } = await add('My laptop');
    const { body } = await signIn(device);
    expect(body).toMatchObject({ error: 0, data: { account: { username: administrator.username } } });
    const account = await server.request('GET', '/api/account', { key: body.data.token });
    expect(account.body.data.email).toBe(administrator.email);
  });

  test('is listed with name, host and last use, renamed and removed', async () => {
    const { device, id } = await add('My laptop');
    expect(await list()).toMatchObject([{ id, name: 'My laptop', host: 'localhost', lastused: null }]);
    await signIn(device);
    expect((await list())[0].lastused).not.toBeNull();
    await server.request('PUT', `/api/account/passkey/${id}/update`, { body: { name: 'Key ring' } });
    expect((await list())[0].name).toBe('Key ring');
    await server.request('DELETE', `/api/account/passkey/${id}/delete`);
    expect(await list()).toEqual([]);
    const refused = await signIn(device);
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_passkey']);
  });

  test('is named after the browser by default', async () => {
    await add();
    expect((await list())[0].name).not.toBe('');
  });

  test("has the same handle as the person's others, and those are excluded", async () => {
    const first = await begin();
    const { device } = await add();
    const second = await begin();
    expect(second.user.id).toBe(first.user.id);
    expect(second.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([device.id]);
  });

  test('survives a restart of the server', async () => {
    const { device } = await add();
    await server.close();
    server = await startApp({ folder, clock: server.clock });
    // Another port is another origin, and the same relying party.
    origin = server.origin;
    const credential = device.get(await signInOptions(), { origin });
    const reply = await send('/api/auth/passkey/login', { credential }, { key: null });
    expect(reply.body).toMatchObject({ error: 0, message: 'Signed in.' });
  });

  test('is logged, and so is each sign-in with it', async () => {
    const { device, id } = await add('My laptop');
    await signIn(device);
    await server.request('DELETE', `/api/account/passkey/${id}/delete`);
    const { body } = await server.request('GET', '/api/audit');
    const actions = body.data.audit.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 3)).toEqual(['passkey.deleted', 'session.started', 'passkey.added']);
  });
});

describe('adding a passkey', () => {
  test('requires the current password', async () => {
    const wrong = await send('/api/account/passkey/options', { current_password: 'wrong' });
    expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([
      400,
      'wrong_password',
      'current_password',
    ]);
    expect((await send('/api/account/passkey/options', {})).body.field).toBe('current_password');
  });

  test('is refused at an IP address, with an explanation', async () => {
    const body = { current_password: administrator.password };
    const bare = await send('/api/account/passkey/options', body, {
      origin: `http://127.0.0.1:${server.port}`,
    });
    expect([bare.status, bare.body.code]).toEqual([400, 'passkey_needs_name']);
    expect(bare.body.message).toContain('host name');
    await server.close();
    server = await startApp({ baseUrl: 'http://links.example' });
    const unencrypted = await send('/api/account/passkey/options', body, { origin: 'http://links.example' });
    expect([unencrypted.status, unencrypted.body.code]).toEqual([400, 'passkey_needs_https']);
  });

  test('is limited to twenty', async () => {
    for (let count = 0; count < 20; count += 1) await add(`Key ${count}`);
    const full = await send('/api/account/passkey/options', { current_password: administrator.password });
    expect([full.status, full.body.code]).toEqual([400, 'too_many']);
  });

  test('must be completed within five minutes', async () => {
    const device = authenticator(origin);
    const credential = device.create(await begin());
    server.clock.advance(300_000);
    const late = await send('/api/account/passkey/add', { credential });
    expect([late.status, late.body.code]).toEqual([400, 'passkey_refused']);
    expect(await list()).toEqual([]);
  });
});
