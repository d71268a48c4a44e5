import { afterEach, describe, expect, it } from 'vitest';
import App from '../../../renderer/App.vue';
import { installLiveEvents } from '../../../renderer/api/live.ts';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import type { Transport } from '../../../renderer/api/transport.ts';
import type { Role } from '../../../server/contract/roles.ts';
import { type Answers, account, meta, openPage, type Page, press } from '../page.ts';

const list = (name: string, rows: object[]) => ({
  body: {
    error: 0,
    data: { result: rows.length, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, [name]: rows },
  },
});
const pixel = (id: number, name: string, creator: { id: number; name: string }) => ({
  id,
  type: 'gtmpixel',
  name,
  tag: 'GTM-ABC1234',
  date: '2026-11-01 10:00:00',
  created_by: creator,
  updated_by: null,
});
const noStats = {
  from: '2026-11-01 00:00:00',
  to: '2026-11-07 00:00:00',
  interval: 'day',
  clicks: 0,
  uniqueclicks: 0,
  bots: 0,
  previous: null,
  series: [],
  dimensions: {},
  links: 0,
  activelinks: 0,
  toplinks: [],
};
const ada = { id: 1, name: 'Ada Lovelace' };
const linus = { id: 3, name: 'Linus Park' };
const vera = { id: 4, name: 'Vera Molnar' };
const grace = { id: 2, name: 'Grace Hopper' };
const member = (person: { id: number; name: string }, role: Role) => ({
  ...person,
  username: person.name.split(' ')[0]?.toLowerCase(),
  role,
  own_only: false,
  joined: '2026-11-01 10:00:00',
  lastseen: null,
});

/** Ada in the team 7, which Grace owns. */
async function openAs(role: Role, path: string, more: Answers = {}): Promise<Page> {
  storedTokens(localStorage).write('local', 'the-token');
  const described = meta(false);
  described.body.data.features.push('teams', 'pixels', 'webhooks', 'keys');
  const team = {
    id: 7,
    name: 'Rockets',
    role,
    own_only: false,
    members: 2,
    created: '2026-11-01 10:00:00',
  };
  return openPage(App, `/team/7${path}`, {
    'GET /api/meta': described,
    'GET /api/account': {
      body: { error: 0, data: { ...account, id: 7, name: 'Rockets', email: '', member: { ...ada, role } } },
    },
    'GET /api/teams': list('teams', [team]),
    'GET /api/team/7/members': list('members', [
      member(grace, 'owner'),
      member(ada, role),
      member(linus, 'admin'),
      member(vera, 'viewer'),
    ]),
    'GET /api/team/7/invites': list('invites', []),
    'GET /api/stats': { body: { error: 0, data: noStats } },
    'GET /api/pixels': list('pixels', [pixel(20, 'By Ada', ada), pixel(21, 'By Grace', grace)]),
    'POST /api/team/7/leave': {
      status: 400,
      body: {
        error: 1,
        code: 'last_owner',
        message: 'You own this team. Transfer it to another member before you leave, or delete it.',
      },
    },
    ...more,
  });
}

afterEach(() => localStorage.clear());

const buttons = () =>
  [...document.querySelectorAll('button, a')].map(
    (button) => (button.ariaLabel ?? button.textContent)?.trim() ?? '',
  );

describe("a team's list", () => {
  it('invites people who may create records to create the first', async () => {
    const page = await openAs('contributor', '/pixels', { 'GET /api/pixels': list('pixels', []) });
    await expect.poll(page.text).toContain('Retarget your visitors');
  });

  it('does not invite people who may not', async () => {
    const page = await openAs('viewer', '/pixels', { 'GET /api/pixels': list('pixels', []) });
    await expect.poll(page.text).toContain('Nothing here yet');
    expect(page.text()).not.toContain('Retarget your visitors');
    expect(page.text()).not.toContain('doesn’t include');
  });

  it('shows who created each record', async () => {
    const page = await openAs('viewer', '/pixels');
    expect(page.text()).toContain('Created by');
    expect(page.text()).toContain('Grace Hopper');
  });

  it('lets contributors create records, but not viewers', async () => {
    await openAs('contributor', '/pixels');
    expect(buttons()).toContain('New pixel');
  });

  it('does not let viewers create records', async () => {
    await openAs('viewer', '/pixels');
    expect(buttons()).not.toContain('New pixel');
  });

  it('offers import and export of links to editors, but not to contributors', async () => {
    await openAs('contributor', '/links');
    expect(buttons().filter((name) => name.startsWith('New link'))).toHaveLength(1);
    expect(buttons()).not.toContain('Import');
  });
});

describe('a team without links', () => {
  const says: [Role, string, string][] = [
    ['viewer', 'No links yetLinks and their clicks show up on this page as soon as there are any.', 'aste'],
    ['contributor', 'Paste any URL here. Clicks', 'import'],
    ['editor', 'import the links you already have', 'as soon as there are any'],
  ];
  it.each(says)('offers exactly what the role allows: %s', async (role, told, other) => {
    const page = await openAs(role, '/overview');
    await expect.poll(page.text).toContain(told);
    expect(page.text()).not.toContain(other);
  });
});

describe("a member's permissions", () => {
  let tell: (event: unknown) => void;
  const stream = {
    subscribe(_instance: string, listener: typeof tell) {
      tell = listener;
      listener({ type: 'hello' });
      return () => {};
    },
  };

  it("follow a role change, which ends the stream, and the team's new name", async () => {
    installLiveEvents(stream as unknown as Transport);
    const page = await openAs('viewer', '/pixels');
    const acting = (role: Role, name: string) => ({
      body: { error: 0, data: { ...account, id: 7, name, email: '', member: { ...ada, role } } },
    });
    expect(buttons()).not.toContain('New pixel');
    page.answers['GET /api/account'] = acting('contributor', 'Rockets');
    tell({ type: 'hello' });
    await expect.poll(buttons).toContain('New pixel');
    page.answers['GET /api/account'] = acting('contributor', 'Comets');
    tell({ type: 'changed', resource: 'teams', ids: [7] });
    await expect.poll(page.text).toContain('Comets');
    // Another team of theirs is none of this one's business.
    const asked = () => page.requests.filter(({ path }) => path === '/api/account').length;
    const before = asked();
    tell({ type: 'changed', resource: 'teams', ids: [8] });
    await expect.poll(() => page.requests.some(({ path }) => path.startsWith('/api/teams?'))).toBe(true);
    expect(asked()).toBe(before);
  });
});

describe('the team settings', () => {
  it('show members to everybody, and roles as menus to admins only', async () => {
    const page = await openAs('editor', '/settings/team');
    expect(page.text()).toContain('Grace Hopper');
    expect(page.text()).toContain('You’re an editor');
    expect(buttons()).not.toContain('Invite');
    expect(page.text()).not.toContain('Webhooks');
    expect(page.requests.some(({ path }) => path.startsWith('/api/team/7/invites'))).toBe(false);
  });

  it('let admins invite', async () => {
    const page = await openAs('admin', '/settings/team');
    expect(buttons()).toContain('Invite');
    expect(page.text()).toContain('Webhooks');
  });

  it('let the owner delete the team, and everybody else leave it', async () => {
    await openAs('owner', '/settings/team');
    expect(buttons()).toContain('Delete team…');
    expect(buttons()).not.toContain('Leave team');
  });

  const question = () => document.querySelector('[role="dialog"]')?.textContent ?? '';

  it.each([
    ['Linus Park', true],
    ['Vera Molnar', false],
  ])('explain before removing %s what ends with that', async (name, invites) => {
    await openAs('owner', '/settings/team');
    const menu = () => document.querySelector<HTMLElement>(`[aria-label="Actions for ${name}"]`);
    await expect.poll(menu).not.toBeNull();
    menu()?.click();
    const remove = () =>
      [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
        ({ textContent }) => textContent?.trim() === 'Remove from the team',
      );
    await expect.poll(remove).toBeDefined();
    remove()?.click();
    await expect.poll(question).toContain(`Remove ${name} from Rockets?`);
    expect(question()).toContain('What they created stays with the team.');
    expect(question().includes('the invitations they created stop working at once')).toBe(invites);
  });

  it.each([
    ['admin', true],
    ['editor', false],
  ] as const)('explain before an %s leaves what ends with that', async (role, invites) => {
    await openAs(role, '/settings/team');
    await press('Leave team');
    await expect.poll(question).toContain('Leave Rockets?');
    expect(question().includes('the invitations you created')).toBe(invites);
  });

  it('show the server’s reason why somebody cannot leave', async () => {
    const page = await openAs('admin', '/settings/team');
    await press('Leave team');
    // The question's own button has the same name and is the last one.
    const answers = [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button')];
    answers.find((button) => button.textContent?.trim() === 'Leave team')?.click();
    await expect.poll(() => page.text(), { timeout: 5_000 }).toContain('You own this team. Transfer it');
  });
});
