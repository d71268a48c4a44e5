import type { DropdownMenuItem } from '@nuxt/ui';
import UApp from '@nuxt/ui/components/App.vue';
import { afterEach, expect, test, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { useLinkMenu } from '../../../renderer/content/links/use-link-menu.ts';
import ShortLink from '../../../renderer/ui/ShortLink.vue';
import type { Link } from '../../../server/contract/links.ts';
import { openedAddress } from '../../../server/contract/privacy.ts';
import { account, meta, openPage } from '../page.ts';

const url = 'https://go.example.com/spring?a=1';
const Page = () => h(UApp, () => h(ShortLink, { url }));
const kept = { noReferrer: false, noBrowser: false, noPlace: false, noSignedIn: false, keep: 'clicks' };
const privacy = (noSignedIn: boolean) => ({
  body: { error: 0, data: { instance: kept, account: { ...kept, noSignedIn }, uncount: [] } },
});
const server = (feature: string) => {
  const { body } = meta(false);
  const features = [...body.data.features, feature];
  return { body: { ...body, data: { ...body.data, features } } };
};
afterEach(() => vi.unstubAllGlobals());

async function open(answers: Parameters<typeof openPage>[2]) {
  localStorage.setItem('waypost:local:token', 'the-token');
  const opened = vi.fn();
  vi.stubGlobal('open', opened);
  const page = await openPage(Page, '/', {
    'GET /api/account': { body: { error: 0, data: account } },
    ...answers,
  });
  const button = page.wrapper.get('button[aria-label="Open short link"]');
  return { page, opened, button, link: page.wrapper.get('a') };
}
const asked = (paths: { path: string }[]) => paths.filter(({ path }) => path === '/api/privacy').length;

test('a short link is opened so that its host recognizes a signed-in user, if such visits are excluded', async () => {
  const { page, opened, button, link } = await open({
    'GET /api/meta': server('signed-in-openings'),
    'GET /api/privacy': privacy(true),
  });
  // What people copy off the page is the link itself.
  expect(link.attributes('href')).toBe(url);
  expect(asked(page.requests)).toBe(0);
  await button.trigger('pointerenter');
  await expect.poll(() => asked(page.requests)).toBe(1);
  await expect
    .poll(async () => {
      await button.trigger('click');
      return opened.mock.lastCall?.[0];
    })
    .toBe(openedAddress(url));
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  link.element.dispatchEvent(event);
  expect([event.defaultPrevented, opened.mock.lastCall?.[0]]).toEqual([true, openedAddress(url)]);
});

test.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])(
  'a click with %s is left to the browser',
  async (key) => {
    const { opened, link } = await open({
      'GET /api/meta': server('signed-in-openings'),
      'GET /api/privacy': privacy(true),
    });
    await link.trigger('pointerenter');
    const click = (keys: MouseEventInit) => {
      const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...keys });
      link.element.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await expect.poll(() => click({})).toBe(true);
    opened.mockClear();
    expect([click({ [key]: true }), opened.mock.calls]).toEqual([false, []]);
  },
);

test('the menu of a link is prepared as soon as it is shown', async () => {
  let menu: DropdownMenuItem[][] = [];
  const Menu = defineComponent(() => {
    const menuOf = useLinkMenu(() => {});
    return () => {
      menu = menuOf({ id: 1, shorturl: url, longurl: url, state: 'active', locked: false } as Link);
      return h('a');
    };
  });
  localStorage.setItem('waypost:local:token', 'the-token');
  const opened = vi.fn();
  vi.stubGlobal('open', opened);
  const page = await openPage(() => h(UApp, () => h(Menu)), '/', {
    'GET /api/account': { body: { error: 0, data: account } },
    'GET /api/meta': server('signed-in-openings'),
    'GET /api/privacy': privacy(true),
  });
  await expect.poll(() => asked(page.requests)).toBe(1);
  const entry = menu.flat().find(({ icon }) => icon === 'i-lucide-external-link');
  await expect
    .poll(() => {
      entry?.onSelect?.(new Event('select'));
      return opened.mock.lastCall?.[0];
    })
    .toBe(openedAddress(url));
});

test.each([
  ['https://go.example.com', '%2F'],
  ['https://go.example.com/', '%2F'],
  ['https://go.example.com?a=/b', '%2F%3Fa%3D%2Fb'],
])('the opened URL of %s redirects to its path', (address, to) => {
  expect(openedAddress(address)).toBe(`https://go.example.com/?notrack=signed-in&to=${to}`);
});

test('a short link is opened directly if such visits count', async () => {
  const { page, opened, button } = await open({
    'GET /api/meta': server('signed-in-openings'),
    'GET /api/privacy': privacy(false),
  });
  await button.trigger('focus');
  await expect.poll(() => asked(page.requests)).toBe(1);
  await button.trigger('click');
  expect(opened.mock.calls).toEqual([[url, '_blank', 'noopener,noreferrer']]);
});

test('an older server without this feature is not asked', async () => {
  const { page, opened, button } = await open({
    'GET /api/meta': meta(false),
    'GET /api/privacy': privacy(true),
  });
  await button.trigger('pointerenter');
  await button.trigger('click');
  expect([opened.mock.lastCall?.[0], asked(page.requests)]).toEqual([url, 0]);
});
