import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawReply, startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { memberOf, newTeam, type TestTeam } from '../../support/team.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 10_000 });
});
afterAll(() => server.close());

const visit = async (alias: string) => {
  const reply = await fetch(`${server.origin}/${alias}`, { redirect: 'manual' });
  return { status: reply.status, location: reply.headers.get('location') };
};
const codeOf = ({ status, body }: RawReply) => `${status} ${body.code ?? ''}`.trim();

/** People and aliases have names that no other test uses. */
let names = 0;
const someone = () => {
  names += 1;
  return `person${names}`;
};
const freshTeam = (): Promise<TestTeam> => newTeam(server, someone());

test('a team owns what its members create in it, and the links work', async () => {
  const team = await freshTeam();
  const ella = await team.join(someone(), 'editor');
  const body = { url: 'https://example.com/team', custom: `shared${team.id}` };
  const added = await ella.inTeam('POST', '/api/url/add', { body });
  expect(added.status).toBe(200);
  expect(await visit(`shared${team.id}`)).toEqual({ status: 302, location: 'https://example.com/team' });

  const seen = await team.owner.inTeam('GET', '/api/urls');
  expect(seen.body.data.urls.map((url: { id: number }) => url.id)).toEqual([added.body.id]);
  expect((await ella.request('GET', '/api/urls')).body.data.result).toBe(0);
  expect((await ella.request('GET', `/api/url/${added.body.id}`)).status).toBe(404);
});

test('the language of the app is the person’s, whichever account is acting', async () => {
  const team = await freshTeam();
  const vera = await team.join(someone(), 'viewer');
  const change = { body: { language: 'ar' } };
  expect((await vera.inTeam('PUT', '/api/account/update', change)).status).toBe(200);
  expect((await vera.inTeam('GET', '/api/account')).body.data.language).toBe('ar');
  expect((await vera.request('GET', '/api/account')).body.data.language).toBe('ar');
  expect((await team.owner.inTeam('GET', '/api/account')).body.data.language).toBe('');
  await vera.request('PUT', '/api/account/update', { body: { language: '' } });
  expect((await vera.inTeam('GET', '/api/account')).body.data.language).toBe('');
});

test('the acting account is the team, with the member and role', async () => {
  const team = await freshTeam();
  const username = someone();
  const vera = await team.join(username, 'viewer');
  const { data } = (await vera.inTeam('GET', '/api/account')).body;
  expect(data).toMatchObject({
    id: team.id,
    email: '',
    username: '',
    has_2fa: false,
    member: { id: vera.id, name: username, role: 'viewer' },
  });
  const own = (await vera.request('GET', '/api/account')).body.data;
  expect(own).toMatchObject({ id: vera.id, username, member: { id: vera.id, role: 'owner' } });
});

test("is one's own by id, and never one without membership", async () => {
  const team = await freshTeam();
  const stranger = secondAccount(server, someone());
  for (const account of [String(team.id), '999999', 'x', '01', '']) {
    const reply = await server.request('GET', '/api/urls', {
      key: stranger.key,
      headers: { 'X-Waypost-Account': account },
    });
    expect(codeOf(reply), account).toBe('404 account_not_found');
  }
  expect((await memberOf(server, stranger, stranger.id).inTeam('GET', '/api/urls')).status).toBe(200);
});

test('lists teams and members as their members see them', async () => {
  const team = await freshTeam();
  const username = someone();
  const ed = await team.join(username, 'contributor', true);
  const list = (await ed.request('GET', '/api/teams')).body.data;
  expect(list).toMatchObject({
    result: 1,
    teams: [{ id: team.id, role: 'contributor', own_only: true, members: 2 }],
  });
  expect((await ed.request('GET', `/api/team/${team.id}`)).body.data).toEqual(list.teams[0]);

  const all = (await team.owner.request('GET', `/api/team/${team.id}/members`)).body.data;
  expect(all.members.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual([
    [ed.id, 'contributor'],
    [team.owner.id, 'owner'],
  ]);
  expect(all.members[0]).toMatchObject({ username, own_only: true });
  const seen = (await ed.request('GET', `/api/team/${team.id}/members`)).body.data;
  expect(seen.members.map(({ id }: { id: number }) => id)).toEqual([ed.id]);
});

test('only admins rename a team, invite, and see invitations', async () => {
  const team = await freshTeam();
  const ella = await team.join(someone(), 'editor');
  const adam = await team.join(someone(), 'admin');
  const path = `/api/team/${team.id}`;
  const asked: [string, string, unknown][] = [
    ['PUT', `${path}/update`, { name: 'New name' }],
    ['POST', `${path}/invite`, { role: 'viewer' }],
    ['GET', `${path}/invites`, undefined],
  ];
  for (const [method, address, body] of asked) {
    expect(codeOf(await ella.request(method, address, { body })), address).toBe('403 role_too_low');
    expect((await adam.request(method, address, { body })).status, address).toBe(200);
  }
  const renamed = (await ella.request('GET', path)).body.data;
  expect(renamed.name).toBe('New name');
  const { invites } = (await adam.request('GET', `${path}/invites`)).body.data;
  expect(invites[0]).toEqual({
    id: expect.any(Number),
    role: 'viewer',
    own_only: false,
    expires: expect.any(String),
    uses: 1,
    used: 0,
    email: null,
  });
  expect((await adam.request('DELETE', `${path}/invite/${invites[0].id}/delete`)).status).toBe(200);
});

test('an invalid invitation gives the reason', async () => {
  const team = await freshTeam();
  const invite = async (body: object) =>
    (await team.owner.request('POST', `/api/team/${team.id}/invite`, { body })).body;
  const join = async (code: string, username = someone()) =>
    codeOf(await secondAccount(server, username).request('POST', '/api/team/join', { body: { code } }));

  expect(await join('nonsense')).toBe('400 invite_invalid');
  const once = await invite({ role: 'viewer' });
  expect(once.link.endsWith(once.code)).toBe(true);
  expect(await join(once.code)).toBe('200');
  expect(await join(once.code)).toBe('400 invite_used');
  const bound = await invite({ role: 'viewer', email: 'nina@example.com' });
  expect(await join(bound.code)).toBe('400 invite_invalid');
  expect(await join(bound.code, 'nina')).toBe('200');
  const withdrawn = await invite({ role: 'viewer' });
  await team.owner.request('DELETE', `/api/team/${team.id}/invite/${withdrawn.id}/delete`);
  expect(await join(withdrawn.code)).toBe('400 invite_invalid');
  const twice = await invite({ role: 'viewer', uses: 2 });
  const again = await team.owner.request('POST', '/api/team/join', { body: { code: twice.code } });
  expect(codeOf(again)).toBe('400 already_member');
  expect([await join(twice.code), await join(twice.code), await join(twice.code)]).toEqual([
    '200',
    '200',
    '400 invite_used',
  ]);
});

test('people without an account register with an invitation and are members', async () => {
  const team = await freshTeam();
  const { code } = (
    await team.owner.request('POST', `/api/team/${team.id}/invite`, { body: { role: 'editor' } })
  ).body;
  const username = someone();
  const registered = await server.request('POST', '/api/auth/register', {
    key: null,
    body: { code, email: `${username}@example.com`, username, password: 'long enough' },
  });
  expect(registered.status).toBe(200);
  const teams = await server.request('GET', '/api/teams', { key: registered.body.data.token });
  expect(teams.body.data.teams).toMatchObject([{ id: team.id, role: 'editor' }]);
});

test('a plan limits the members of a team', async () => {
  const team = await freshTeam();
  const { body } = await server.request('POST', '/api/plan/add', {
    body: { name: `Small ${team.id}`, features: { team: { enabled: true, count: 2 } } },
  });
  const moved = await server.request('PUT', `/api/plan/${body.data.id}/user/${team.id}`);
  expect(moved.status).toBe(200);
  await team.join(someone(), 'viewer');
  const { code } = (
    await team.owner.request('POST', `/api/team/${team.id}/invite`, { body: { role: 'viewer' } })
  ).body;
  const refused = await secondAccount(server, someone()).request('POST', '/api/team/join', {
    body: { code },
  });
  expect(codeOf(refused)).toBe('400 team_full');
  const invites = (await team.owner.request('GET', `/api/team/${team.id}/invites`)).body.data.invites;
  expect(invites[0]).toMatchObject({ used: 0 });
});

test('admins change roles, and only a transfer changes the owner', async () => {
  const team = await freshTeam();
  const adam = await team.join(someone(), 'admin');
  const ella = await team.join(someone(), 'editor');
  const update = async (person: number, body: object) =>
    codeOf(await adam.request('PUT', `/api/team/${team.id}/member/${person}/update`, { body }));
  expect(await update(ella.id, { role: 'viewer', own_only: true })).toBe('200');
  expect(await update(ella.id, { role: 'editor' })).toBe('400 own_only');
  expect(await update(ella.id, { role: 'owner' })).toBe('400 owner_by_transfer');
  expect(await update(adam.id, { role: 'owner' })).toBe('400 owner_by_transfer');
  expect(await update(team.owner.id, { role: 'viewer' })).toBe('400 owner_by_transfer');
  expect(await update(999_999, { role: 'viewer' })).toBe('404 not_found');
  const removed = await adam.request('DELETE', `/api/team/${team.id}/member/${team.owner.id}/delete`);
  expect(codeOf(removed)).toBe('400 owner_by_transfer');
  const refused = await ella.request('PUT', `/api/team/${team.id}/member/${ella.id}/update`, {
    body: { role: 'admin' },
  });
  expect(codeOf(refused)).toBe('403 role_too_low');
});

test('members can leave, except the owner', async () => {
  const team = await freshTeam();
  const ella = await team.join(someone(), 'editor');
  expect(codeOf(await team.owner.request('POST', `/api/team/${team.id}/leave`))).toBe('400 last_owner');
  expect((await ella.request('POST', `/api/team/${team.id}/leave`)).status).toBe(200);
  expect(codeOf(await ella.inTeam('GET', '/api/urls'))).toBe('404 account_not_found');
  expect((await ella.request('GET', `/api/team/${team.id}`)).status).toBe(404);
});

test("a team's key only works there, with its person's role", async () => {
  const team = await freshTeam();
  const adam = await team.join(someone(), 'admin');
  const add = (person: typeof adam, body: object) => person.request('POST', '/api/key/add', { body });
  const ella = await team.join(someone(), 'editor');
  expect(codeOf(await add(ella, { name: 'k', account: team.id }))).toBe('403 role_too_low');
  const unknown = await add(ella, { name: 'k', account: 999_999 });
  expect([codeOf(unknown), unknown.body.field]).toEqual(['400 account_not_found', 'account']);

  const key = (await add(adam, { name: 'k', account: team.id })).body.data.api_key;
  const asKey = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { key, body, headers: { 'X-Waypost-Account': String(adam.id) } });
  const alias = `key${team.id}`;
  const added = await asKey('POST', '/api/url/add', { url: 'https://example.com/key', custom: alias });
  expect(added.status).toBe(200);
  expect((await visit(alias)).status).toBe(302);
  expect((await team.owner.inTeam('GET', `/api/url/${added.body.id}`)).status).toBe(200);
  expect((await adam.request('GET', `/api/url/${added.body.id}`)).status).toBe(404);

  await team.owner.request('PUT', `/api/team/${team.id}/member/${adam.id}/update`, {
    body: { role: 'viewer' },
  });
  const refused = await asKey('POST', '/api/url/add', { url: 'https://example.com/later' });
  expect(codeOf(refused)).toBe('403 role_too_low');
  expect((await asKey('GET', '/api/urls')).status).toBe(200);
});

test('the public list of a team’s campaign keeps its address when the team is renamed', async () => {
  const team = await freshTeam();
  const body = { name: 'Press', public: true };
  const { id, list } = (await team.owner.inTeam('POST', '/api/campaign/add', { body })).body;
  const path = `/u/team-${team.id}/list-${id}`;
  expect(new URL(list).pathname).toBe(path);
  const link = { url: 'https://example.com/listed', campaign: id, title: 'On the list' };
  await team.owner.inTeam('POST', '/api/url/add', { body: link });
  await team.owner.request('PUT', `/api/team/${team.id}/update`, { body: { name: 'Renamed team' } });
  const page = await fetch(server.origin + path);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('On the list');
  expect(html).toContain('Renamed team');
  const foreign = await freshTeam();
  expect((await fetch(`${server.origin}/u/team-${foreign.id}/list-${id}`)).status).toBe(404);
});

test('a change that concerns a person and a team is stored completely or not at all', async () => {
  const team = await newTeam(server, 'petra');
  const change = { username: 'petra-new', timezone: 'Nowhere/Nothing' };
  const refused = await team.owner.inTeam('PUT', '/api/account/update', { body: change });
  expect([refused.status, refused.body.field]).toEqual([400, 'timezone']);
  const person = await team.owner.request('GET', '/api/account');
  expect(person.body.data.username).toBe('petra');
  const made = await team.owner.inTeam('PUT', '/api/account/update', {
    body: { ...change, timezone: 'Europe/Berlin' },
  });
  expect(made.status).toBe(200);
  expect((await team.owner.request('GET', '/api/account')).body.data.username).toBe('petra-new');
  const account = await team.owner.inTeam('GET', '/api/account');
  expect(account.body.data.timezone).toBe('Europe/Berlin');
});

test("a team's invitation lets its recipient register where registration is closed, and nobody else", async () => {
  const team = await freshTeam();
  const username = someone();
  const made = await team.owner.inTeam('POST', `/api/team/${team.id}/invite`, {
    body: { role: 'contributor' },
  });
  await server.request('PUT', '/api/settings', { body: { registration: 'closed' } });
  const register = (code?: string) =>
    server.request('POST', '/api/auth/register', {
      key: null,
      body: {
        username,
        email: `${username}@example.com`,
        password: 'marble otter lamp',
        ...(code !== undefined && { code }),
      },
    });
  expect(codeOf(await register())).toBe('403 registration_closed');
  expect(codeOf(await register('unknown-code'))).toBe('403 registration_closed');
  const { status, body } = await register(made.body.code);
  expect(status).toBe(200);
  const teams = await server.request('GET', '/api/teams', { key: body.data.token });
  expect(teams.body.data.teams).toMatchObject([{ id: team.id, role: 'contributor' }]);
  await server.request('PUT', '/api/settings', { body: { registration: 'invitation' } });
});

describe('the page of an invitation', () => {
  const look = (code: string, key?: string) =>
    server.request('POST', '/api/team/invitation', { body: { code }, key: key ?? null });

  test('shows the team, the role and the inviting person, signed in or not, without using it up', async () => {
    const owner = someone();
    const team = await newTeam(server, owner);
    const { code } = (
      await team.owner.request('POST', `/api/team/${team.id}/invite`, {
        body: { role: 'viewer', own_only: true, expires: '2030-05-06 07:08:09' },
      })
    ).body;
    const guest = secondAccount(server, someone());
    const shown = {
      team: { name: `Team of ${owner}` },
      role: 'viewer',
      own_only: true,
      expires: '2030-05-06 07:08:09',
      invited_by: owner,
      bound: false,
      email: null,
    };
    expect((await look(code)).body).toEqual({ error: 0, data: shown });
    expect((await look(code, guest.key)).body.data).toEqual(shown);
    expect((await guest.request('POST', '/api/team/join', { body: { code } })).status).toBe(200);
    expect(codeOf(await look(code))).toBe('400 invite_used');
    expect(codeOf(await look(code, guest.key))).toBe('400 already_member');
  });

  test('refuses like joining does', async () => {
    const team = await freshTeam();
    const invite = async (body: object) =>
      (await team.owner.request('POST', `/api/team/${team.id}/invite`, { body })).body;
    const guest = secondAccount(server, someone());
    const { code, id } = await invite({ role: 'viewer' });
    expect((await look(code)).status).toBe(200);
    await team.owner.request('DELETE', `/api/team/${team.id}/invite/${id}/delete`);
    for (const key of [undefined, guest.key]) {
      expect(codeOf(await look('nonsense', key))).toBe('400 invite_invalid');
      expect(codeOf(await look(code, key))).toBe('400 invite_invalid');
    }
    const late = await invite({ role: 'viewer' });
    const { main } = server.databases;
    main.prepare('UPDATE team_invitations SET expires_at = 1 WHERE id = ?').run(late.id);
    expect(codeOf(await look(late.code))).toBe('400 invite_expired');
    const full = await invite({ role: 'viewer' });
    main.prepare('UPDATE users SET plan_id = 1 WHERE id = ?').run(team.id);
    expect(codeOf(await look(full.code))).toBe('400 team_full');
    expect(codeOf(await look(full.code, guest.key))).toBe('400 team_full');
    main.prepare('UPDATE users SET plan_id = 2, trashed_at = 1 WHERE id = ?').run(team.id);
    expect(codeOf(await look(full.code))).toBe('400 invite_invalid');
  });

  test('shows the invited address to nobody else', async () => {
    const team = await freshTeam();
    const invite = { role: 'editor', email: 'frida@example.com' };
    const { code } = (await team.owner.request('POST', `/api/team/${team.id}/invite`, { body: invite })).body;
    const frida = secondAccount(server, 'frida');
    const other = secondAccount(server, someone());
    expect((await look(code)).body.data).toMatchObject({ role: 'editor', bound: true, email: null });
    expect((await look(code, frida.key)).body.data).toMatchObject({
      bound: true,
      email: 'frida@example.com',
    });
    expect(codeOf(await look(code, other.key))).toBe('400 invite_invalid');
    // A key acts in its account alone: to an invitation it is nobody.
    const { api_key: key } = (await frida.request('POST', '/api/key/add', { body: { name: 'script' } })).body;
    expect((await look(code, key)).body.data.email).toBe(null);
  });

  test('has the same rate limit as other requests without a key', async () => {
    const replies = await Promise.all(Array.from({ length: 62 }, () => look('guess')));
    expect(new Set(replies.map(codeOf))).toEqual(new Set(['400 invite_invalid', '429 rate_limited']));
    server.clock.advance(60_000);
  });
});

test('people who deleted a team can find and restore it, wherever they sign in', async () => {
  const team = await freshTeam();
  const kept = await newTeam(server, someone());
  const deputy = await team.join(someone(), 'admin');
  const deleted = async (member: { request: typeof deputy.request }) =>
    (await member.request('GET', '/api/teams?deleted=1')).body.data;
  expect((await deleted(team.owner)).teams).toEqual([]);
  const body = { url: 'https://example.com/back', custom: `back${team.id}` };
  await deputy.inTeam('POST', '/api/url/add', { body });
  server.databases.main
    .prepare('UPDATE users SET trashed_at = ?, active = 0 WHERE id = ?')
    .run(server.clock.now(), team.id);
  expect(await visit(`back${team.id}`)).toMatchObject({ status: 404 });
  const { result, teams } = await deleted(team.owner);
  expect(result).toBe(1);
  expect(teams).toEqual([expect.objectContaining({ id: team.id, role: 'owner', members: 2 })]);
  expect(Date.parse(`${teams[0].until}Z`) - Date.parse(`${teams[0].deleted}Z`)).toBe(30 * 86_400_000);
  expect((await deleted(deputy)).teams).toEqual([]);
  expect((await deleted(kept.owner)).teams).toEqual([]);
  expect((await team.owner.request('POST', `/api/team/${team.id}/restore`)).status).toBe(200);
  expect((await deleted(team.owner)).teams).toEqual([]);
  expect(await visit(`back${team.id}`)).toMatchObject({ status: 302 });
});

test('administrators see all teams, their owners, and what prevents deleting an account', async () => {
  const owner = someone();
  const team = await newTeam(server, owner);
  const reply = await server.request('GET', '/api/teams/all?limit=1000');
  const row = reply.body.data.teams.find(({ id }: { id: number }) => id === team.id);
  expect(row).toEqual({
    id: team.id,
    name: `Team of ${owner}`,
    owner: { id: team.owner.id, name: owner, username: owner },
    members: 1,
    created: expect.any(String),
    member: false,
  });
  expect(codeOf(await team.owner.request('GET', '/api/teams/all'))).toBe('403 administrator_required');
  const owns = [{ id: team.id, name: `Team of ${owner}` }];
  expect((await server.request('GET', `/api/user/${team.owner.id}`)).body.data.owns_teams).toEqual(owns);
  const refused = await server.request('DELETE', `/api/user/${team.owner.id}/delete`);
  expect([codeOf(refused), refused.body.data.teams]).toEqual(['400 owns_teams', owns]);
  expect((await server.request('POST', `/api/team/${team.id}/admit`)).status).toBe(200);
  const after = await server.request('GET', '/api/teams/all?limit=1000');
  expect(after.body.data.teams).toContainEqual({ ...row, members: 2, member: true });
});
