import type { RouteRecordRaw } from 'vue-router';

/** What happened to the account and, for administrators, to the instance. */
export const routes: RouteRecordRaw[] = [
  { path: '/activity', name: 'activity', component: () => import('./ActivityPage.vue') },
];
