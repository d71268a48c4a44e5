import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, expect, test } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import BreakdownList from '../../../renderer/visits/stats/BreakdownList.vue';
import { provideStatsView } from '../../../renderer/visits/stats/stats-view.ts';
import { account, meta, openPage, settle } from '../page.ts';

const rows = [
  { value: 'DE', clicks: 60, uniqueclicks: 50 },
  { value: 'US', clicks: 30, uniqueclicks: 20 },
  { value: 'FR', clicks: 10, uniqueclicks: 10 },
];
const Countries = defineComponent(() => {
  provideStatsView({ range: 'test-range' });
  // The clicks of Germany alone.
  return () => h(BreakdownList, { dimension: 'country', label: 'Countries', rows, total: 60 });
});

/** The shares that the list shows, opened at an address. */
async function sharesAt(address: string): Promise<string[]> {
  const isThere = ref(false);
  const described = meta(false);
  const features = ['stats', 'stats-filters', 'links'];
  await openPage(() => h(UApp, () => (isThere.value ? h(Countries) : undefined)) as never, address, {
    'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
    'GET /api/account': { body: { error: 0, data: account } },
  });
  isThere.value = true;
  await settle();
  return [...document.querySelectorAll('li span:not(:has(span))')]
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => /^[\d.]+%$/.test(text));
}

beforeEach(() => storedTokens(localStorage).write('local', 'the-token'));

test('the shares of a dimension are those of all clicks', async () => {
  expect(await sharesAt('/overview')).toEqual(['100%', '50%', '16.7%']);
});

test('the shares of a filtered dimension are those of its own rows, which the filter does not narrow', async () => {
  expect(await sharesAt('/overview?country=DE')).toEqual(['60%', '30%', '10%']);
});
