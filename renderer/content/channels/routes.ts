import type { RouteRecordRaw } from 'vue-router';

/** Routes of the channel board and a channel's page. */
export const routes: RouteRecordRaw[] = [
  { path: '/channels', name: 'channels', component: () => import('./ChannelsPage.vue') },
  {
    path: String.raw`/channels/:id([1-9]\d{0,14})`,
    name: 'channel',
    component: () => import('./ChannelPage.vue'),
  },
  {
    path: String.raw`/channels/:id([1-9]\d{0,14})/statistics`,
    name: 'channel-statistics',
    props: { kind: 'channel' },
    component: () => import('../../visits/overview/PartStatsPage.vue'),
  },
];
