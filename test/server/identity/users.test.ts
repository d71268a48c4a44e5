import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { invitationJob } from '../../../server/identity/users/invitation-job.ts';
import { invitationQueries } from '../../../server/identity/users/invitation-queries.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { chunks } from '../../support/chunks.ts';
import { secondAccount } from '../../support/second-account.ts';
import { tapStatements } from '../../support/tapped-statements.ts';
import { storedContents, upload, uploadPath } from '../../support/uploads.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

const send = (method: string, path: string, body?: unknown, key?: string | null) =>
  server.request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });
const bert = { username: 'bert', email: 'bert@example.com', password: 'secret' };
const signIn = (login: string, password: string, code?: string) =>
  send('POST', '/api/auth/login', { login, password, code }, null);

async function addBert(fields: Record<string, unknown> = {}): Promise<number> {
  const reply = await send('POST', '/api/user/add', { ...bert, ...fields });
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      error: 0,
      message: expect.any(String),
      data: { id: expect.any(Number), email: bert.email, username: bert.username },
    },
  ]);
  return reply.body.data.id;
}

test('listing accounts does not scan all of them on the redirect thread', async () => {
  await server.close();
  const tapped = tapStatements();
  server = await startApp();
  for (const path of ['/api/users', '/api/user/1']) {
    tapped.takeOnThisThread();
    expect((await send('GET', path)).status).toBe(200);
    const own = [...tapped.takeOnThisThread()].filter((sql) =>
      /FROM (users|members|link_counts)\b/.test(sql),
    );
    expect(own.filter((sql) => !/\b(id|user_id|person_id) = [?@]/.test(sql))).toEqual([]);
  }
  tapped.stop();
});

test('a thousand accounts are listed a few at a time, newest first', async () => {
  server.databases.main.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO users (email, email_folded, username, username_folded, name, password_hash, plan_id, registered_at, timezone)
     SELECT 'p' || i, 'p' || i, 'p' || i, 'p' || i, '', 'none', 1 + i % 2, i, 'UTC' FROM n`,
  );
  const pieces = await chunks(server.port, '/api/users', server.key);
  expect(Math.max(...pieces.map((piece) => piece.split('"username"').length - 1))).toBeLessThanOrEqual(20);
  const { data } = JSON.parse(pieces.join(''));
  const names = data.map(({ username }: { username: string }) => username);
  expect(names).toEqual(['anna', ...Array.from({ length: 1000 }, (_, index) => `p${1000 - index}`)]);
  expect((await send('GET', '/api/users?filter=free')).body.data).toHaveLength(500);
  expect((await send('GET', '/api/users?filter=admin')).body.data).toHaveLength(1);
  expect((await send('GET', '/api/users?email=P7')).body.data).toMatchObject([{ username: 'p7' }]);
  expect((await send('GET', '/api/users?email=nobody')).body).toEqual({ error: 0, data: [] });
});

describe('an administrator', () => {
  test('creates an account, which can sign in', async () => {
    const id = await addBert({ planid: 1, expiration: '2027-06-01' });
    const { data } = (await send('GET', `/api/user/${id}`)).body;
    expect(data).toMatchObject({
      id,
      username: 'bert',
      planid: 1,
      status: 'free',
      expires: '2027-06-01 23:59:59',
      admin: false,
      links: 0,
    });
    expect((await signIn('bert', 'secret')).status).toBe(200);
  });

  test('cannot create an account named with dots only, which its public URLs could not contain', async () => {
    const id = await addBert();
    const replies = [
      await send('POST', '/api/user/add', { ...bert, email: 'dora@example.com', username: '..' }),
      await send('PUT', `/api/user/${id}/update`, { username: '...' }),
      await send('PUT', `/api/user/${id}/update`, { username: '\u3164\u115f' }),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body]).toMatchObject([400, { code: 'invalid_value', field: 'username' }]);
    }
    expect((await send('PUT', `/api/user/${id}/update`, { username: '.bert.' })).status).toBe(200);
  });

  test('lists accounts as a bare array, by filter and by the whole address', async () => {
    await addBert({ planid: 1 });
    const names = async (query = '') => {
      const { data } = (await send('GET', `/api/users${query}`)).body;
      return data.map((user: { username: string }) => user.username);
    };
    expect(await names()).toEqual(['bert', 'anna']);
    expect(await names('?filter=admin')).toEqual(['anna']);
    expect(await names('?filter=free')).toEqual(['bert']);
    expect(await names('?filter=pro')).toEqual(['anna']);
    expect(await names('?email=BERT@example.com')).toEqual(['bert']);
    expect(await names('?email=bert')).toEqual([]);
    expect((await send('GET', '/api/users?filter=others')).status).toBe(400);
  });

  test.each([
    ['email', { ...bert, username: 'other', email: 'ANNA@example.com' }],
    ['username', { ...bert, username: 'ANNA' }],
    ['password', { ...bert, password: '1234' }],
    ['planid', { ...bert, planid: 99 }],
    ['expiration', { ...bert, expiration: '2026-02-30' }],
  ])('gets an error if %s is invalid', async (field, body) => {
    const reply = await send('POST', '/api/user/add', body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });

  test('updates an account; a new password ends its sessions', async () => {
    const id = await addBert();
    const { token } = (await signIn('bert', 'secret')).body.data;
    const reply = await send('PUT', `/api/user/${id}/update`, { password: 'another', name: 'Bert' });
    expect(reply.status).toBe(200);
    expect((await send('GET', '/api/account', undefined, token)).status).toBe(401);
    expect((await signIn('bert', 'another')).body.data.account.name).toBe('Bert');
  });

  test('disables an account, and all its keys', async () => {
    const id = await addBert();
    const { token } = (await signIn('bert', 'secret')).body.data;
    await send('PUT', `/api/user/${id}/update`, { active: false });
    expect((await send('GET', '/api/account', undefined, token)).status).toBe(401);
    expect((await signIn('bert', 'secret')).body.code).toBe('invalid_credentials');
    await send('PUT', `/api/user/${id}/update`, { active: true });
    expect((await signIn('bert', 'secret')).status).toBe(200);
  });

  test('deletes an account with its links and keys', async () => {
    const id = await addBert();
    const { token } = (await signIn('bert', 'secret')).body.data;
    await send('POST', '/api/url/add', { url: 'https://example.com/', custom: 'mine' }, token);
    expect((await fetch(`${server.origin}/mine`, { redirect: 'manual' })).status).toBe(302);
    expect((await send('DELETE', `/api/user/${id}/delete`)).status).toBe(200);
    expect((await send('GET', '/api/account', undefined, token)).status).toBe(401);
    expect((await fetch(`${server.origin}/mine`, { redirect: 'manual' })).status).toBe(404);
    expect((await send('GET', `/api/user/${id}`)).status).toBe(404);
    expect((await send('DELETE', `/api/user/${id}/delete`)).status).toBe(404);
  });

  test("deletes an account's uploads, contents included, and nobody else's", async () => {
    const kept = await upload(server, 'stays');
    const id = await addBert();
    const { token } = (await signIn('bert', 'secret')).body.data;
    const before = storedContents(server).finished;
    for (const content of ['one', 'two', 'three']) {
      const path = uploadPath('a.txt', { custom: `of-bert-${content}` });
      await server.request('POST', path, { rawBody: content, key: token });
    }
    expect(storedContents(server).finished).toHaveLength(before.length + 3);
    expect((await send('DELETE', `/api/user/${id}/delete`)).status).toBe(200);
    expect(storedContents(server).finished).toEqual(before);
    expect((await fetch(`${server.origin}/of-bert-one`)).status).toBe(404);
    expect(await (await fetch(kept.shorturl)).text()).toBe('stays');
  });

  test('who is the last one can be neither deleted, disabled nor demoted', async () => {
    for (const reply of [
      await send('DELETE', '/api/user/1/delete'),
      await send('PUT', '/api/user/1/update', { admin: false }),
      await send('PUT', '/api/user/1/update', { active: false }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([400, 'last_administrator']);
    }
    const id = await addBert({ admin: true });
    expect((await send('PUT', '/api/user/1/update', { admin: false })).status).toBe(200);
    expect((await send('DELETE', `/api/user/${id}/delete`)).status).toBe(403);
  });

  test('is the only one with access to accounts, plans, settings and invitations', async () => {
    const { key } = secondAccount(server);
    for (const [method, path] of [
      ['GET', '/api/users'],
      ['GET', '/api/user/1'],
      ['POST', '/api/user/add'],
      ['PUT', '/api/user/1/update'],
      ['DELETE', '/api/user/1/delete'],
      ['GET', '/api/plans'],
      ['POST', '/api/plan/add'],
      ['PUT', '/api/plan/1/update'],
      ['DELETE', '/api/plan/1/delete'],
      ['PUT', '/api/plan/1/user/1'],
      ['GET', '/api/settings'],
      ['PUT', '/api/settings'],
      ['POST', '/api/invite/add'],
      ['GET', '/api/invites'],
    ] as const) {
      const reply = await send(method, path, method === 'GET' ? undefined : {}, key);
      expect([method, path, reply.status, reply.body.code]).toEqual([
        method,
        path,
        403,
        'administrator_required',
      ]);
    }
  });
});

describe('an invited person', () => {
  const invite = async (body: Record<string, unknown> = {}) =>
    (await send('POST', '/api/invite/add', body)).body.data;
  const register = (code: string | undefined, fields: Record<string, unknown> = {}) =>
    send('POST', '/api/auth/register', { code, ...bert, ...fields }, null);

  test('registers with an invitation, once, and gets a key and a session', async () => {
    const made = await invite({ planid: 1 });
    expect(made).toEqual({
      url: `${server.origin}/admin/register#${made.code}`,
      code: expect.stringMatching(/^[\w-]{32}$/),
      expires: '2027-01-22 12:00:00',
      mailed: false,
    });
    const { status, body } = await register(made.code);
    expect([status, body.data.account.username, body.data.account.planid]).toEqual([200, 'bert', 1]);
    for (const key of [body.data.token, body.data.api_key]) {
      expect((await send('GET', '/api/account', undefined, key)).status).toBe(200);
    }
    const again = await register(made.code, { username: 'eve', email: 'eve@example.com' });
    expect([again.status, again.body.code, again.body.field]).toEqual([400, 'invalid_invitation', 'code']);
  });

  test('cannot register with an unknown, expired or revoked invitation, or for another address', async () => {
    const bound = await invite({ email: 'carl@example.com', expires: '2027-01-16 12:00:00' });
    expect((await register(bound.code)).body.code).toBe('invitation_email');
    expect((await register('nonsense')).body.code).toBe('invalid_invitation');
    expect((await register(undefined)).body.code).toBe('invitation_required');
    const [open] = (await send('GET', '/api/invites')).body.data;
    expect(open).toMatchObject({ email: 'carl@example.com', expires: '2027-01-16 12:00:00' });
    server.clock.advance(86_400_000);
    expect((await register(bound.code, { email: 'carl@example.com' })).body.code).toBe('invalid_invitation');
    const other = await invite();
    const { id } = (await send('GET', '/api/invites')).body.data[0];
    expect((await send('DELETE', `/api/invite/${id}/delete`)).status).toBe(200);
    expect((await register(other.code)).body.code).toBe('invalid_invitation');
  });

  test('cannot share an invitation: of many at once, one gets the account', async () => {
    const { code } = await invite();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        register(code, { username: `user${index}`, email: `u${index}@example.com` }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });

  test('needs no invitation where registration is open, and none helps where it is closed', async () => {
    const { code } = await invite();
    await send('PUT', '/api/settings', { registration: 'closed' });
    expect((await register(code)).body.code).toBe('registration_closed');
    await send('PUT', '/api/settings', { registration: 'open' });
    expect((await register(undefined)).status).toBe(200);
  });
});

describe('a plan', () => {
  const add = async (body: Record<string, unknown>) => send('POST', '/api/plan/add', body);

  test('is one of Free and Pro on a new instance, as a bare array', async () => {
    const { data } = (await send('GET', '/api/plans')).body;
    expect(data.map(({ id, name, free, users }: Record<string, unknown>) => [id, name, free, users])).toEqual(
      [
        [1, 'Free', true, 0],
        [2, 'Pro', false, 1],
      ],
    );
  });

  test('allows everything that it does not name, and is updated key by key', async () => {
    const { data } = (
      await add({ name: 'Team', limits: { links: 5 }, features: { bio: { enabled: false } } })
    ).body;
    expect(data).toMatchObject({
      name: 'Team',
      free: false,
      permissions: { alias: true },
      limits: { links: 5, files: -1 },
      features: { bio: { enabled: false, count: -1 }, geo: { enabled: true } },
    });
    const changed = await send('PUT', `/api/plan/${data.id}/update`, { permissions: { alias: false } });
    expect(changed.body.data).toMatchObject({
      permissions: { alias: false, password: true },
      limits: { links: 5 },
    });
  });

  test('limits the links of its accounts', async () => {
    const { id } = (await add({ name: 'One', limits: { links: 1 } })).body.data;
    await send('PUT', `/api/plan/${id}/user/1`, {});
    expect((await send('POST', '/api/url/add', { url: 'https://example.com/' })).status).toBe(200);
    const reply = await send('POST', '/api/url/add', { url: 'https://example.com/' });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', 'links']);
  });

  test.each([
    [{ type: 'monthly' }, '2027-02-15 12:00:00'],
    [{ type: 'yearly' }, '2028-01-15 12:00:00'],
    [{ type: 'lifetime' }, null],
    [{}, null],
    [{ type: 'monthly', expiration: '2030-01-01' }, '2030-01-01 23:59:59'],
  ])('can be assigned to an account: %j', async (body, expires) => {
    const id = await addBert();
    expect((await send('PUT', `/api/plan/1/user/${id}`, body)).status).toBe(200);
    expect((await send('GET', `/api/user/${id}`)).body.data).toMatchObject({ planid: 1, expires });
  });

  test('cannot be deleted while it is in use, the default or the last free one', async () => {
    const code = async (id: number) => (await send('DELETE', `/api/plan/${id}/delete`)).body.code;
    expect(await code(2)).toBe('plan_in_use');
    expect(await code(1)).toBe('last_free_plan');
    const { id } = (await add({ name: 'Other' })).body.data;
    await send('PUT', '/api/settings', { defaultPlan: id });
    expect(await code(id)).toBe('default_plan');
    await send('PUT', '/api/settings', { defaultPlan: 2 });
    expect((await send('DELETE', `/api/plan/${id}/delete`)).status).toBe(200);
    expect((await send('PUT', '/api/plan/1/update', { free: false })).body.code).toBe('last_free_plan');
    expect((await add({ name: 'PRO' })).body.code).toBe('name_taken');
  });

  test('without the API refuses keys, but not sessions', async () => {
    const { id } = (await add({ name: 'No API', features: { api: { enabled: false } } })).body.data;
    await send('PUT', `/api/plan/${id}/user/1`);
    const reply = await send('GET', '/api/account', undefined, server.key);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', 'api']);
    expect((await send('GET', '/api/account')).status).toBe(200);
    expect((await send('POST', '/api/key/add', { name: 'x' })).body.field).toBe('api');
  });
});

test('an invitation is deleted a month after it ends, used or not', async () => {
  const { main } = server.databases;
  const day = 86_400_000;
  for (let count = 0; count < 60; count += 1) await send('POST', '/api/invite/add', {});
  await send('POST', '/api/invite/add', { expires: '2030-01-01' });
  main.prepare('UPDATE invitations SET used_at = 1 WHERE id % 2 = 0').run();
  const stored = () => main.prepare<[], number>('SELECT count(*) FROM invitations').pluck().get();
  const job = invitationJob({
    queries: [invitationQueries(main)],
    transactions: transactions(main),
    clock: { isTrusted: () => true },
    now: server.clock.now,
  });
  const { signal } = new AbortController();
  server.clock.advance(36 * day);
  await job.run(signal);
  expect(stored()).toBe(61);
  server.clock.advance(2 * day);
  await job.run(signal);
  expect(stored()).toBe(1);
});
