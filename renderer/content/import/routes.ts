import type { RouteRecordRaw } from 'vue-router';

/** Bringing links along from another service. */
export const routes: RouteRecordRaw[] = [
  { path: '/import', name: 'import', component: () => import('./ImportPage.vue') },
];
