import type { RouteRecordRaw } from 'vue-router';

/** Files that are given out under a short address. */
export const routes: RouteRecordRaw[] = [
  { path: '/files', name: 'files', component: () => import('./FilesPage.vue') },
];
