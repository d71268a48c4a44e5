import type { RouteRecordRaw } from 'vue-router';

/** Route of the import page. */
export const routes: RouteRecordRaw[] = [
  { path: '/import', name: 'import', component: () => import('./ImportPage.vue') },
];
