import type { RouteRecordRaw } from 'vue-router';

/** Routes of the bio page list and the editor. */
export const routes: RouteRecordRaw[] = [
  { path: '/bio', name: 'bio', component: () => import('./BioListPage.vue') },
  {
    path: String.raw`/bio/:id([1-9]\d{0,14})`,
    name: 'bio-page',
    component: () => import('./BioEditorPage.vue'),
  },
];
