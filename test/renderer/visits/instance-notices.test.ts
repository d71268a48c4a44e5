import UApp from '@nuxt/ui/components/App.vue';
import { expect, it } from 'vitest';
import { h } from 'vue';
import InstanceNotices from '../../../renderer/visits/overview/InstanceNotices.vue';
import { account, meta, openPage } from '../page.ts';

const condition = { lostvisits: 0, disk: 'ok', freebytes: null, clockdoubtedsince: null, damage: null };

it('administrators are told which secrets are locked, and what to do', async () => {
  localStorage.setItem('waypost:local:token', 'the-token');
  const { data } = meta(false).body;
  const page = await openPage(() => h(UApp, () => h(InstanceNotices)), '/', {
    'GET /api/meta': { body: { error: 0, data: { ...data, features: [...data.features, 'condition'] } } },
    'GET /api/account': { body: { error: 0, data: { ...account, admin: true } } },
    'GET /api/instance': {
      body: {
        error: 0,
        data: { ...condition, lostsecrets: { kinds: ['second factor', 'mail password'], key: 'other' } },
      },
    },
  });
  await expect
    .poll(() => page.text())
    .toContain(
      'from another computer: two-factor authentication and the mail server password. Put the right',
    );
});
