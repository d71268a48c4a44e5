import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineComponent, effectScope, h, ref } from 'vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import CommandPalette from '../../../renderer/frame/CommandPalette.vue';
import { usePageActions } from '../../../renderer/ui/use-page-actions.ts';
import { account, meta, openPage, type Page, settle } from '../page.ts';

const isOpen = ref(true);
beforeEach(() => {
  storedTokens(localStorage).write('local', 'the-token');
  isOpen.value = true;
});

const App = defineComponent(
  () => () =>
    h(UApp, () =>
      h(CommandPalette, {
        open: isOpen.value,
        'onUpdate:open': (open: boolean) => {
          isOpen.value = open;
        },
      }),
    ),
);

const features = ['stats', 'links', 'campaigns', 'qr', 'webhooks', 'backup'];
const listOf = (name: string, rows: object[]) => ({
  body: {
    error: 0,
    data: { result: rows.length, perpage: 3, currentpage: 1, nextpage: null, maxpage: 1, [name]: rows },
  },
});

function openPalette(person: object): Promise<Page> {
  const described = meta(false);
  return openPage(App, '/links', {
    'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
    'GET /api/account': { body: { error: 0, data: { ...account, ...person } } },
    'GET /api/urls': listOf('urls', []),
    'GET /api/campaigns': listOf('campaigns', []),
    'GET /api/qr': listOf('qrs', []),
  });
}

const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const labels = () => options().map((option) => option.textContent?.trim() ?? '');

async function type(text: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('[role="dialog"] input');
  if (!field) throw new Error('The palette has no field.');
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}

async function choose(label: string): Promise<void> {
  await vi.waitFor(() => expect(labels().join('\n')).toContain(label), { timeout: 5000 });
  options()
    .find((option) => option.textContent?.includes(label))
    ?.click();
  await settle();
}

describe('the command palette', () => {
  test('finds settings by common names, and shows recent ones first', async () => {
    const page = await openPalette({ admin: true });
    await type('2fa');
    await choose('Security');
    expect(page.router.currentRoute.value.fullPath).toBe('/settings/security');
    expect(isOpen.value).toBe(false);
    isOpen.value = true;
    await settle();
    expect(page.text()).toContain('Recent');
    expect(labels()[0]).toContain('Security');
    await type('smtp');
    expect(labels().join()).not.toContain('Email');
    await type('restore');
    await choose('Backups');
    expect(page.router.currentRoute.value.fullPath).toBe('/settings/backups');
  });

  test('shows no section that the role does not have', async () => {
    const member = { id: 5, name: 'Vic', role: 'viewer', own_only: false };
    await openPalette({ member });
    await type('api');
    await vi.waitFor(() => expect(labels().join('\n')).toContain('API keys'), { timeout: 5000 });
    await type('webhooks');
    expect(labels().join('\n')).not.toContain('Webhooks');
    await type('new link');
    expect(labels()).not.toContain('New link');
  });

  test('puts what bears the name before links that contain it, and the search for links last', async () => {
    const page = await openPalette({ admin: true });
    const [date, clicks] = ['2026-11-29 12:00:00', 0];
    const address = { shorturl: 'http://localhost/espresso', longurl: 'https://example.com/' };
    const link = { id: 7, alias: 'espresso', ...address, title: 'Backup beans', clicks, date };
    const campaign = {
      id: 3,
      name: 'Backup plans',
      public: false,
      rotator: false,
      list: 'http://localhost/u/a',
    };
    page.answers['GET /api/urls'] = listOf('urls', [link]);
    page.answers['GET /api/campaigns'] = listOf('campaigns', [campaign]);
    await type('backup');
    await vi.waitFor(() => expect(labels().join('\n')).toContain('Backup plans'), { timeout: 5000 });
    const shown = labels();
    expect(shown[0]).toContain('Backup plans');
    expect(shown.findIndex((label) => label.includes('localhost/espresso'))).toBe(1);
    expect(shown.findIndex((label) => label.includes('Backups'))).toBe(2);
    expect(shown.at(-1)).toContain('Search links for “backup”');
  });

  test('offers the actions of the page, and the choices of one that has several', async () => {
    const run: string[] = [];
    const scope = effectScope();
    scope.run(() =>
      usePageActions(() => [
        { label: 'Copy short link', onSelect: () => void run.push('copy') },
        { label: 'Delete', disabled: true },
        { label: 'Copy from another instance…', to: '/settings/about' },
        {
          label: 'Add to campaign…',
          children: [{ label: 'Spring', onSelect: () => void run.push('spring') }, { label: 'Summer' }],
        },
      ]),
    );
    const page = await openPalette({});
    expect(labels().slice(0, 3)).toEqual([
      'Copy short link',
      'Copy from another instance…',
      'Add to campaign…',
    ]);
    await type('copy');
    await choose('Copy short link');
    expect([run, isOpen.value]).toEqual([['copy'], false]);
    isOpen.value = true;
    await settle();
    await choose('Add to campaign…');
    await choose('Spring');
    expect([run, isOpen.value]).toEqual([['copy', 'spring'], false]);
    isOpen.value = true;
    await settle();
    await choose('Copy from another instance…');
    expect(page.router.currentRoute.value.fullPath).toBe('/settings/about');
    scope.stop();
    isOpen.value = true;
    await settle();
    expect(labels()).not.toContain('Copy short link');
  });

  test('signs out', async () => {
    const page = await openPalette({});
    page.answers['POST /api/auth/logout'] = { body: { error: 0, message: 'Signed out.' } };
    await type('sign out');
    await choose('Sign out');
    expect(page.requests.some(({ path }) => path === '/api/auth/logout')).toBe(true);
  });
});
