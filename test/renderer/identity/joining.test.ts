import UApp from '@nuxt/ui/components/App.vue';
import { afterEach, describe, expect, it } from 'vitest';
import { h } from 'vue';
import App from '../../../renderer/App.vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import InvitationLink from '../../../renderer/identity/teams/InvitationLink.vue';
import { type Answers, account, meta, openPage, press, settle } from '../page.ts';

const refusal = (code: string, message: string, data?: object) => ({
  status: 400,
  body: { error: 1, code, message, ...(data && { data }) },
});
const page = (name: string, rows: object[]) => ({
  body: {
    error: 0,
    data: { result: rows.length, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, [name]: rows },
  },
});
const team = {
  id: 7,
  name: 'Rockets',
  role: 'owner',
  own_only: false,
  members: 1,
  created: '2026-11-01 10:00:00',
};
const member = { id: 1, name: 'Ada Lovelace', role: 'owner' };

/** Ada, who is signed in and administrates the instance. */
function openAs(path: string, answers: Answers, id = 1) {
  storedTokens(localStorage).write('local', 'the-token');
  const described = meta(false);
  described.body.data.features.push('teams', 'mail', 'sso');
  return openPage(App, path, {
    'GET /api/meta': described,
    'GET /api/account': ({ account: acting }) => ({
      body: { error: 0, data: { ...account, id: acting ?? id, admin: true, member } },
    }),
    'GET /api/teams': (request) => page('teams', request.path.includes('deleted=1') ? [] : [team]),
    ...answers,
  });
}
const buttons = () =>
  [...document.querySelectorAll('button, a')].map(
    (each) => (each.ariaLabel ?? each.textContent)?.trim() ?? '',
  );

afterEach(() => localStorage.clear());

describe('the invitation page', () => {
  it('keeps offering it if the server was unreachable', { tags: 'long' }, async () => {
    let isThere = false;
    const data = {
      team: { name: 'Rockets' },
      role: 'editor',
      own_only: false,
      expires: '2026-12-01 10:00:00',
      invited_by: null,
      bound: false,
      email: null,
    };
    const { text } = await openAs('/join#the-code', {
      'POST /api/team/invitation': () => (isThere ? { body: { error: 0, data } } : 'unreachable'),
    });
    expect(buttons()).toContain('Try again');
    isThere = true;
    await press('Try again');
    await settle();
    expect(text()).toContain('Join Rockets');
    expect(buttons()).toContain('Join as Ada Lovelace');
    expect(buttons()).not.toContain('Try again');
  });

  it('shows the team, the role and the inviting person before joining', async () => {
    const { text, requests } = await openAs('/join#the-code', {
      'POST /api/team/invitation': {
        body: {
          error: 0,
          data: {
            team: { name: 'Rockets' },
            role: 'viewer',
            own_only: true,
            expires: '2026-12-01 10:00:00',
            invited_by: 'Grace Hopper',
            bound: false,
            email: null,
          },
        },
      },
    });
    expect(text()).toContain('Join Rockets');
    expect(text()).toContain('Viewer');
    expect(text()).not.toContain('you see everything');
    expect(text()).toContain('Own only');
    expect(text()).toContain('You see only what you created.');
    expect(text()).toContain('Invited by Grace Hopper');
    expect(buttons()).toContain('Join as Ada Lovelace');
    expect(requests.find(({ path }) => path === '/api/team/invitation')?.body).toEqual({ code: 'the-code' });
  });

  it('offers a way on without a code, and promises nothing', async () => {
    const described = meta(false);
    described.body.data.features.push('teams');
    const { text } = await openPage(App, '/join', { 'GET /api/meta': described });
    expect(text()).toContain('This link has no code. Open the whole invitation link.');
    expect(text()).not.toContain('Create an account');
    expect(buttons()).toContain('Sign in');
  });

  it('opens the team for existing members', async () => {
    const { router } = await openAs('/join#the-code', {
      'POST /api/team/invitation': refusal('already_member', 'You are a member of this team already.', {
        id: 7,
      }),
    });
    expect(buttons()).not.toContain('Join as Ada Lovelace');
    await press('Open team');
    expect(window.location.pathname).toMatch(/^\/admin\/team\/7\//);
    expect(router.currentRoute.value.name).not.toBe('join');
  });

  it.each(['invite_invalid', 'invite_expired', 'invite_used', 'team_full'])(
    'reports %s, and offers a way on',
    async (code) => {
      const { text } = await openAs('/join#the-code', {
        'POST /api/team/invitation': refusal(code, `A sentence for ${code}.`),
      });
      expect(text()).toContain(`A sentence for ${code}.`);
      expect(buttons()).not.toContain('Join as Ada Lovelace');
      expect(buttons()).toContain('Back to your links');
    },
  );
});

describe('the invitations of a team', () => {
  const invitation = {
    id: 3,
    role: 'viewer',
    own_only: false,
    expires: '2026-12-01 10:00:00',
    uses: 1,
    used: 1,
    email: null,
  };
  const inTeam = {
    'GET /api/team/7/members': page('members', []),
    'GET /api/team/7/invites': page('invites', [invitation]),
  };

  it('are marked once used up', async () => {
    const { text } = await openAs('/team/7/settings/team', inTeam, 7);
    expect(text()).toContain('Used up');
  });

  it.each([
    [true, 'Emailed to grace@example.com.'],
    [false, 'No email was sent to grace@example.com'],
  ])('say whether they were emailed: %s', async (mailed, sentence) => {
    const { text } = await openAs(
      '/team/7/settings/team',
      {
        ...inTeam,
        'POST /api/team/7/invite': {
          body: { error: 0, id: 4, code: 'c', link: 'https://go.example.com/admin/join#c', mailed },
        },
      },
      7,
    );
    await press('Invite');
    const field = document.querySelector<HTMLInputElement>('[role="dialog"] input[type="email"]');
    if (!field) throw new Error('There is no field for an email.');
    field.value = 'grace@example.com';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await press('Create invitation');
    await expect.poll(text).toContain(sentence);
    expect(text()).toContain('https://go.example.com/admin/join#c');
  });
});

describe('the link of an invitation', () => {
  const sharing = (https: object | null) => ({
    body: {
      error: 0,
      data: {
        ...{ sharing: https !== null, fixed: false, name: 'desk', addresses: [], https },
        ...{ httpsProblem: null, plain: false, problem: null },
      },
    },
  });
  async function show(link: string, https: object | null, admin = true): Promise<() => string> {
    const described = meta(false);
    described.body.data.features.push('teams', 'sharing');
    storedTokens(localStorage).write('local', 'the-token');
    const { text } = await openPage((() => h(UApp, () => h(InvitationLink, { link }))) as never, '/', {
      'GET /api/meta': described,
      'GET /api/account': { body: { error: 0, data: { ...account, member: { ...member, admin } } } },
      'GET /api/sharing': sharing(https),
    });
    expect(text()).toContain(link);
    return text;
  }
  const own = { urls: ['https://192.168.1.20:8443'], fingerprint: 'AB:CD' };

  it('warns if it only works on this computer', async () => {
    const text = await show('http://localhost:8420/admin/join#c', null);
    expect(text()).toContain('Only this computer can open this link');
    expect(buttons()).toContain('Sharing settings');
  });

  it('refers people who are not administrators to one', async () => {
    const text = await show('http://localhost:8420/admin/join#c', null, false);
    expect(text()).toContain('Ask an administrator to share this instance');
    expect(buttons()).not.toContain('Sharing settings');
  });

  it('warns about browsers if the certificate is the instance’s own, and only then', async () => {
    const warned = await show('https://192.168.1.20:8443/admin/join#c', own);
    await expect.poll(warned).toContain('Browsers warn about this address the first time');
  });

  it('has no warning if everybody can open it', async () => {
    const text = await show('https://go.example.com/admin/join#c', own);
    await settle();
    expect(text()).not.toMatch(/Only this computer|Browsers warn/);
  });
});

describe('a deleted team', () => {
  it('can be restored by its owner in any browser', async () => {
    const { text, requests } = await openAs('/settings/team', {
      'GET /api/teams': (request) =>
        page(
          'teams',
          request.path.includes('deleted=1')
            ? [{ ...team, id: 8, name: 'Gone', deleted: '2026-11-20 10:00:00', until: '2026-12-20 10:00:00' }]
            : [],
        ),
      'POST /api/team/8/restore': { body: { error: 0, message: 'Restored.' } },
    });
    expect(text()).toContain('Deleted teams');
    await press('Restore');
    expect(requests.some(({ path }) => path === '/api/team/8/restore')).toBe(true);
  });
});

describe('administrators', () => {
  const grace = {
    ...account,
    id: 2,
    username: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    links: 12_000,
  };
  const users = (...owned: object[]) => ({
    'GET /api/users': {
      body: {
        error: 0,
        data: [
          { ...account, links: 0, owns_teams: [] },
          { ...grace, owns_teams: owned },
        ],
      },
    },
    'GET /api/plans': { body: { error: 0, data: [] } },
    'GET /api/invites': { body: { error: 0, data: [] } },
    'GET /api/teams/all': page('teams', [
      {
        id: 7,
        name: 'Rockets',
        owner: { id: 2, name: 'Grace Hopper', username: 'grace' },
        members: 3,
        created: '2026-11-01 10:00:00',
        member: false,
      },
    ]),
  });

  async function removeGrace(): Promise<void> {
    document.querySelector<HTMLElement>('[aria-label="Actions for grace"]')?.click();
    await settle();
    const entry = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
      (each) => each.textContent?.trim() === 'Delete',
    );
    entry?.click();
    await expect
      .poll(() => document.querySelector('[role="dialog"]')?.textContent)
      .toContain('Delete grace?');
  }

  it('explain what happens to what a person owns', async () => {
    const { text, requests } = await openAs('/settings/users', {
      ...users(),
      'DELETE /api/user/2/delete': { body: { error: 0, message: 'Deleted.' } },
    });
    expect(text()).toContain('12,000 links');
    await removeGrace();
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('including 12,000 links');
    const submit = () =>
      [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Delete account');
    // Nothing is chosen for them.
    expect(submit()?.disabled).toBe(true);
    document.querySelector<HTMLElement>('[role="radio"][value="delete"]')?.click();
    await expect.poll(() => submit()?.disabled).toBe(false);
    submit()?.click();
    await expect.poll(() => requests.map(({ path }) => path)).toContain('/api/user/2/delete?personal=delete');
  });

  it('read nothing of links where a person has none', { tags: 'long' }, async () => {
    const routes = users();
    Object.assign(routes['GET /api/users'].body.data[1] ?? {}, { links: 0 });
    await openAs('/settings/users', routes);
    await removeGrace();
    const said = document.querySelector('[role="dialog"]')?.textContent;
    expect(said).toContain('Everything moves to that person’s account.');
    expect(said).not.toMatch(/[10] links?/);
  });

  it('show which teams need another owner first', { tags: 'long' }, async () => {
    const { text } = await openAs('/settings/users', users({ id: 7, name: 'Rockets' }));
    await removeGrace();
    expect(text()).toContain('They own these teams');
    expect(buttons()).not.toContain('Delete account');
  });

  it('move into a team, after explaining what that means', async () => {
    const { text, requests } = await openAs('/settings/users', {
      ...users(),
      'POST /api/team/7/admit': { body: { error: 0, message: 'Admitted.' } },
    });
    expect(text()).toContain('Owned by Grace Hopper');
    await press('Join this team');
    expect(text()).toContain('Grace Hopper is notified');
    const [, confirm] = [...document.querySelectorAll('button')].filter(
      (each) => each.textContent?.trim() === 'Join this team',
    );
    confirm?.click();
    await expect.poll(() => requests.map(({ path }) => path)).toContain('/api/team/7/admit');
  });
});
