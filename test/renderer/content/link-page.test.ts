import UApp from '@nuxt/ui/components/App.vue';
import { expect, test } from 'vitest';
import { h } from 'vue';
import LinkPage from '../../../renderer/content/links/LinkPage.vue';
import { account, meta, openPage, settle } from '../page.ts';

const Page = () => h(UApp, () => h(LinkPage));

test('a link that does not exist is requested once, and the page says so', async () => {
  localStorage.setItem('waypost:local:token', 'the-token');
  const page = await openPage(Page, '/links/7', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
  });
  await expect.poll(() => page.router.currentRoute.value.fullPath).toBe('/links/7');
  await expect.poll(page.text).toContain('Link not found');
  await settle();
  const about = page.requests.map(({ path }) => path).filter((path) => path.includes('7'));
  expect(about).toEqual(['/api/url/7']);
});
