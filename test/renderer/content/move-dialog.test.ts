import UApp from '@nuxt/ui/components/App.vue';
import { afterEach, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import type { ApiRequest } from '../../../preload/contract.ts';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { useMove } from '../../../renderer/content/moving/use-move.ts';
import { account, meta, openPage, type Page, press, settle } from '../page.ts';

const own = { ...account, member: { id: 1, name: 'Ada Lovelace', role: 'owner' } };
const paging = { perpage: 15, currentpage: 1, nextpage: null, maxpage: 1 };
const team = (id: number, name: string, role: string) => ({
  id,
  name,
  role,
  own_only: false,
  members: 2,
  created: '2026-11-01 10:00:00',
});

/** A page with a button that moves two links. */
const Host = defineComponent({
  setup() {
    const moving = useMove();
    return () =>
      h(UApp, null, () =>
        moving.isOffered.value
          ? h('button', { onClick: () => void moving.move('links', [5, 6]) }, 'Begin')
          : h('p', 'Nowhere to move to'),
      );
  },
});

const bodyOf = (page: Page, path: string) =>
  page.requests.filter((request) => request.path === path).map(({ body }) => body);

async function open(teams: object[]): Promise<Page> {
  storedTokens(localStorage).write('local', 'the-token');
  const described = meta(false);
  described.body.data.features.push('teams');
  return openPage(Host, '/links', {
    'GET /api/meta': described,
    'GET /api/account': { body: { error: 0, data: own } },
    'GET /api/teams': { body: { error: 0, data: { ...paging, result: teams.length, teams } } },
    'POST /api/move/preview': {
      body: {
        error: 0,
        data: {
          related: [
            { resource: 'campaigns', id: 3, name: 'Spring', taken: true },
            { resource: 'channels', id: 4, name: 'News', taken: false },
          ],
          qr: 2,
        },
      },
    },
    'POST /api/move': {
      body: { error: 0, moved: 1, skipped: [{ id: 6, code: 'domain' }], undo: 77 },
    },
    'POST /api/undo/77': { body: { error: 0, message: 'The change was undone.' } },
  });
}

afterEach(() => localStorage.clear());

it('moves records to the selected account, reports what stayed, and can undo it', async () => {
  const page = await open([team(7, 'Rockets', 'contributor')]);
  await press('Begin');
  await settle();
  expect(page.text()).toContain('Move 2 records to another account');
  expect(page.text()).toContain('They use: Spring (there already) and News.');
  expect(page.text()).toContain('2 QR codes go along.');
  await press('Move');
  await settle();
  expect(bodyOf(page, '/api/move')).toEqual([
    { from: 1, to: 7, resource: 'links', ids: [5, 6], related: 'copy' },
  ]);
  expect(page.text()).toContain('Moved 1 record to Rockets. 1 stays: its domain can’t be used there.');
  await press('Undo');
  await settle();
  expect(page.requests.some((request: ApiRequest) => request.path === '/api/undo/77')).toBe(true);
});

it('is not offered without an account to move to', async () => {
  const page = await open([team(7, 'Rockets', 'viewer')]);
  expect(page.text()).toContain('Nowhere to move to');
});
