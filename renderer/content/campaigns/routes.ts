import type { RouteRecordRaw } from 'vue-router';

/** Routes of the campaign list and a campaign's page. */
export const routes: RouteRecordRaw[] = [
  { path: '/campaigns', name: 'campaigns', component: () => import('./CampaignsPage.vue') },
  {
    path: String.raw`/campaigns/:id([1-9]\d{0,14})`,
    name: 'campaign',
    component: () => import('./CampaignPage.vue'),
  },
];
