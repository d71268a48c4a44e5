import type { RouteRecordRaw } from 'vue-router';

/** The list of links, and the page of one. */
export const routes: RouteRecordRaw[] = [
  { path: '/links', name: 'links', component: () => import('./LinksPage.vue') },
  { path: String.raw`/links/:id([1-9]\d{0,14})`, name: 'link', component: () => import('./LinkPage.vue') },
];
