import type { RouteRecordRaw } from 'vue-router';

/** The list of pixels, and the page of one. */
export const routes: RouteRecordRaw[] = [
  { path: '/pixels', name: 'pixels', component: () => import('./PixelsPage.vue') },
  { path: String.raw`/pixels/:id([1-9]\d{0,14})`, name: 'pixel', component: () => import('./PixelPage.vue') },
];
