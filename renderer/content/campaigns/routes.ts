import type { RouteRecordRaw } from 'vue-router';

/** The list of campaigns, and the page of one. */
export const routes: RouteRecordRaw[] = [
  { path: '/campaigns', name: 'campaigns', component: () => import('./CampaignsPage.vue') },
  {
    path: String.raw`/campaigns/:id([1-9]\d{0,14})`,
    name: 'campaign',
    component: () => import('./CampaignPage.vue'),
  },
];
