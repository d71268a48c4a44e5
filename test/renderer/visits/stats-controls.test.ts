import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineComponent, h, reactive, ref } from 'vue';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import * as files from '../../../renderer/ui/save-file.ts';
import StatsControls from '../../../renderer/visits/stats/StatsControls.vue';
import { provideStatsView } from '../../../renderer/visits/stats/stats-view.ts';
import type { Role } from '../../../server/contract/roles.ts';
import type { Stats } from '../../../server/contract/stats.ts';
import { account, meta, openPage, settle } from '../page.ts';

const saved: string[] = [];
let refusal: Error | undefined;

const figures = (clicks: number) =>
  ({
    from: '2026-11-01',
    to: '2026-11-07',
    interval: 'day',
    clicks,
    uniqueclicks: clicks,
    series: [],
    dimensions: {},
  }) as unknown as Stats;

const shown = reactive<{ stats: Stats; loading: boolean; clicks?: { campaign: string } }>({
  stats: figures(900),
  loading: false,
});
const Controls = defineComponent(() => {
  provideStatsView({ range: 'test-range' });
  return () => h(StatsControls, { ...shown, name: 'Links' });
});

async function openControls(): Promise<void> {
  const described = meta(false);
  const features = ['stats', 'stats-filters', 'links'];
  await openPage(() => h(UApp, () => h(Controls)) as never, '/overview', {
    'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
    'GET /api/account': { body: { error: 0, data: account } },
  });
}

beforeEach(() => {
  refusal = undefined;
  vi.spyOn(files, 'saveText').mockImplementation(async (text) => {
    if (refusal) throw refusal;
    saved.push(text);
    return 'saved';
  });
  storedTokens(localStorage).write('local', 'the-token');
  saved.length = 0;
  Object.assign(shown, { stats: figures(900), loading: false });
});

describe('exporting statistics', () => {
  test('waits for the figures of the latest selection', { tags: 'long' }, async () => {
    await openControls();
    shown.loading = true;
    await settle();
    const button = document.querySelector('button[aria-haspopup="menu"]');
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await settle();
    expect(document.querySelectorAll('[role="menuitem"]')).toHaveLength(0);

    Object.assign(shown, { stats: figures(12), loading: false });
    await settle();
    const csv = document.querySelector<HTMLElement>('[role="menuitem"]');
    expect(csv?.textContent).toContain('CSV');
    csv?.click();
    await settle();
    expect(saved).toHaveLength(1);
    expect(saved[0]).toContain('12');
    expect(saved[0]).not.toContain('900');
  });

  test('reports why the app refused', async () => {
    refusal = new ApiFailure('refused', 'Another file is being saved. Finish that first.');
    await openControls();
    document
      .querySelector('button[aria-haspopup="menu"]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await settle();
    document.querySelector<HTMLElement>('[role="menuitem"]')?.click();
    await settle();
    expect(document.body.textContent).toContain('Another file is being saved. Finish that first.');
  });

  /** What is asked of the server when the clicks behind a filtered page are exported. */
  async function askedOf(features: string[], role: Role = 'owner'): Promise<string[]> {
    const isThere = ref(false);
    const described = meta(false);
    shown.clicks = { campaign: '4' };
    const page = await openPage(
      () => h(UApp, () => (isThere.value ? h(Controls) : undefined)) as never,
      '/overview?country=DE&period=7d&compare=previous',
      {
        'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
        'GET /api/account': {
          body: { error: 0, data: { ...account, member: { id: 1, name: 'Ada Lovelace', role } } },
        },
        'GET /api/clicks/export': {
          body: { error: 0, data: { filename: 'x.csv', content: 'id', next: null } },
        },
      },
    );
    // A page is there once its address is the one that is shown.
    isThere.value = true;
    await settle();
    const button = document.querySelector('button[aria-haspopup="menu"]');
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await settle();
    const items = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    expect(items.length).toBeGreaterThan(2);
    items.find(({ textContent }) => textContent?.includes('Clicks (CSV)'))?.click();
    await settle();
    return page.requests.map(({ path }) => path).filter((path) => path.startsWith('/api/clicks/export'));
  }
  const known = ['stats', 'stats-filters', 'click-export', 'links'];

  test("offers single clicks under the page's filters", async () => {
    const [asked = ''] = await askedOf([...known, 'click-export-filters']);
    expect(Object.fromEntries(new URLSearchParams(asked.split('?')[1]))).toEqual({
      ...{ country: 'DE', period: '7d', campaign: '4', format: 'csv', inline: '1' },
    });
  });

  test('does not offer single clicks if an older server would ignore the filters', {
    tags: 'long',
  }, async () => {
    expect(await askedOf(known)).toEqual([]);
  });

  test.each(['viewer', 'contributor'] as const)(
    'does not offer everybody’s single clicks to a %s',
    async (role) => {
      expect(await askedOf([...known, 'click-export-filters'], role)).toEqual([]);
    },
  );

  test('offers them to an editor', { tags: 'long' }, async () => {
    expect(await askedOf([...known, 'click-export-filters'], 'editor')).toHaveLength(1);
  });
});
