import type { RouteRecordRaw } from 'vue-router';

/** Route of the comparison page. */
export const routes: RouteRecordRaw[] = [
  { path: '/compare', name: 'compare', component: () => import('./ComparisonPage.vue') },
];
