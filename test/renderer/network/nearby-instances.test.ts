import { expect, it } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import NearbyInstances from '../../../renderer/network/instances/NearbyInstances.vue';
import type { NearbyInstance } from '../../../server/contract/sharing.ts';
import { account, meta, openPage, settle } from '../page.ts';

const chosen = ref<NearbyInstance>();
const Form = defineComponent(
  () => () => h(NearbyInstances, { onChoose: (nearby: NearbyInstance) => (chosen.value = nearby) }),
);

const fingerprint = `${'AB:'.repeat(31)}CD`;
const desk = {
  name: 'Waypost on desk<script>',
  url: 'http://192.168.1.20:8420',
  secureUrl: 'https://192.168.1.20:8443',
  fingerprint,
};
const studio = {
  name: 'Waypost on studio',
  url: 'http://192.168.1.7:8420',
  secureUrl: null,
  fingerprint: null,
};

const open = (nearby: object) =>
  openPage(Form, '/', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
    'GET /api/sharing/nearby': nearby,
  });
const found = (...data: object[]) => ({ body: { error: 0, data } });

it('lists instances that announce themselves, and passes on the selected one', async () => {
  const { text } = await open(found(desk, studio));
  expect(text()).toContain('Waypost on desk<script>192.168.1.20:8443Encrypted');
  expect(text()).toContain('Waypost on studio192.168.1.7:8420Not encrypted');
  [...document.querySelectorAll('button')].find((button) => button.textContent?.includes('desk'))?.click();
  expect(chosen.value).toEqual(desk);
});

it('cannot be made to add a known instance', async () => {
  await open(found({ ...studio, url: location.origin }));
  expect(document.querySelector<HTMLButtonElement>('li button')?.disabled).toBe(true);
});

it('reports that none were found, searches again, and says where it cannot search', async () => {
  const page = await open(found());
  expect(page.text()).toContain('No other instances found.');
  page.answers['GET /api/sharing/nearby'] = 'unreachable';
  document.querySelector<HTMLButtonElement>('[aria-label="Search again"]')?.click();
  await settle();
  expect(page.text()).toContain('Couldn’t search the network.');
  expect(page.requests.filter(({ path }) => path === '/api/sharing/nearby')).toHaveLength(2);
});
