import { afterEach, describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../preload/contract.ts';
import App from '../../../renderer/App.vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { useSessionStore } from '../../../renderer/identity/session/session.ts';
import { account, meta, openPage, type Page, settle } from '../page.ts';

/** Ada's own account, and the team 7 in which she is an editor. */
const member = (role: string) => ({ id: 1, name: 'Ada Lovelace', role });
const team = { ...account, id: 7, name: 'Rockets', email: '', username: '', member: member('editor') };
const own = { ...account, member: member('owner') };
const lost = {
  status: 404,
  body: {
    error: 1,
    message: 'You do not have access to this account. Choose another one.',
    code: 'account_not_found',
  },
};

const metaWithTeams = () => {
  const reply = meta(false);
  reply.body.data.features.push('teams', 'pixels');
  return reply;
};

const list = (name: string, rows: object[]) => ({
  body: {
    error: 0,
    data: { result: rows.length, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, [name]: rows },
  },
});

const pixel = (id: number, name: string) => ({
  id,
  type: 'gtm',
  name,
  tag: 'GTM-1',
  date: '2026-11-01 10:00:00',
});

/** A server with one pixel in each account. */
function answers() {
  return {
    'GET /api/meta': metaWithTeams(),
    'GET /api/account': ({ account: id }: ApiRequest) => ({
      body: { error: 0, data: id === 7 ? team : own },
    }),
    'GET /api/teams': list('teams', [
      { id: 7, name: 'Rockets', role: 'editor', own_only: false, members: 2, created: '2026-11-01 10:00:00' },
    ]),
    'GET /api/pixels': ({ account: id }: ApiRequest) =>
      list('pixels', [id === 7 ? pixel(21, 'Pixel of the team') : pixel(20, 'My own pixel')]),
  };
}

async function open(path: string): Promise<Page> {
  storedTokens(localStorage).write('local', 'the-token');
  return openPage(App, path, answers());
}

const accountsOf = (page: Page, path: string) =>
  page.requests.filter((request) => request.path.startsWith(path)).map((request) => request.account);

afterEach(() => localStorage.clear());

describe('the acting account', () => {
  it('is the person’s own by default, and requests do not name it', async () => {
    const page = await open('/pixels');
    expect(page.text()).toContain('My own pixel');
    expect(page.requests.every((request) => request.account === undefined)).toBe(true);
  });

  it('is the team in the URL, which every request names', async () => {
    const page = await open('/team/7/pixels');
    expect(page.text()).toContain('Pixel of the team');
    expect(accountsOf(page, '/api/pixels')).toEqual([7]);
    expect(page.router.currentRoute.value.fullPath).toBe('/pixels');
    expect(page.router.resolve({ name: 'links' }).href).toBe('/admin/team/7/links');
  });

  it('shows nothing of the previous account, not even for a moment', async () => {
    const page = await open('/pixels');
    expect(page.text()).toContain('My own pixel');
    const seen: string[] = [];
    const watcher = new MutationObserver(() => {
      const isTeam = useSessionStore().state === 'signed-in' && location.pathname.startsWith('/admin/team/7');
      if (isTeam) seen.push(page.text());
    });
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    await useSessionStore().actFor(7);
    await page.router.push({ path: '/pixels', force: true });
    await settle();
    watcher.disconnect();
    expect(page.text()).toContain('Pixel of the team');
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((text) => text.includes('My own pixel'))).toEqual([]);
    // No page of the one account asked in the name of the other.
    expect(accountsOf(page, '/api/pixels')).toEqual([undefined, 7]);
  });

  it('is restored with Back', async () => {
    const page = await open('/pixels');
    await useSessionStore().actFor(7);
    await page.router.push({ path: '/pixels', force: true });
    await settle();
    window.history.back();
    await expect.poll(() => page.text(), { timeout: 5_000 }).toContain('My own pixel');
    expect(location.pathname).toBe('/admin/pixels');
  });

  it('is remembered for a visit without a page', { tags: 'long' }, async () => {
    localStorage.setItem('waypost:local:account', '7');
    const page = await open('/');
    expect(accountsOf(page, '/api/account')).toEqual([7]);
    expect(location.pathname).toMatch(/^\/admin\/team\/7\//);
  });

  it('has its own drafts and filters', async () => {
    localStorage.setItem('waypost:local:links.order', JSON.stringify('clicks_desc'));
    const page = await open('/team/7/links');
    await expect.poll(() => accountsOf(page, '/api/urls').length, { timeout: 5_000 }).toBeGreaterThan(0);
    const asked = page.requests.find(({ path }) => path.startsWith('/api/urls'))?.path;
    expect(asked).toContain('order=date_desc');
  });

  it('falls back to the person’s own when they have left the team, and says so', {
    tags: 'long',
  }, async () => {
    const page = await open('/team/7/pixels');
    page.answers['GET /api/account'] = ({ account: id }) =>
      id === 7 ? lost : { body: { error: 0, data: own } };
    page.answers['GET /api/urls'] = ({ account: id }) => (id === 7 ? lost : list('urls', []));
    await page.router.push('/links');
    await expect.poll(() => page.text(), { timeout: 5_000 }).toContain('You’re not a member of Rockets.');
    expect(page.text()).not.toContain('Pixel of the team');
    expect(location.pathname).not.toContain('/team/');
    expect(localStorage.getItem('waypost:local:account')).toBeNull();
  });

  it("is the person’s own if the URL names somebody else's team", async () => {
    storedTokens(localStorage).write('local', 'the-token');
    const page = await openPage(App, '/team/9/links', {
      ...answers(),
      'GET /api/account': ({ account: id }: ApiRequest) =>
        id === 9 ? lost : { body: { error: 0, data: own } },
    });
    await expect.poll(() => page.text(), { timeout: 5_000 }).toContain('You’re not a member of that team');
    expect(location.pathname).not.toContain('/team/');
  });
});
