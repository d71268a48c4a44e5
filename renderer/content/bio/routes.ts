import type { RouteRecordRaw } from 'vue-router';

/** The list of bio pages, and the editor of one. */
export const routes: RouteRecordRaw[] = [
  { path: '/bio', name: 'bio', component: () => import('./BioListPage.vue') },
  {
    path: String.raw`/bio/:id([1-9]\d{0,14})`,
    name: 'bio-page',
    component: () => import('./BioEditorPage.vue'),
  },
];
