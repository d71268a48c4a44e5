import type { RouteRecordRaw } from 'vue-router';

/** Route of the file list. */
export const routes: RouteRecordRaw[] = [
  { path: '/files', name: 'files', component: () => import('./FilesPage.vue') },
];
