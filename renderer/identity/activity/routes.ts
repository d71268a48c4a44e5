import type { RouteRecordRaw } from 'vue-router';

/** Route of the audit log of the account and, for administrators, the instance. */
export const routes: RouteRecordRaw[] = [
  { path: '/activity', name: 'activity', component: () => import('./ActivityPage.vue') },
];
