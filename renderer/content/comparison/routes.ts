import type { RouteRecordRaw } from 'vue-router';

/** Statistics of several links, campaigns and channels side by side. */
export const routes: RouteRecordRaw[] = [
  { path: '/compare', name: 'compare', component: () => import('./ComparisonPage.vue') },
];
