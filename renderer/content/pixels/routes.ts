import type { RouteRecordRaw } from 'vue-router';

/** Routes of the pixel list and a pixel's page. */
export const routes: RouteRecordRaw[] = [
  { path: '/pixels', name: 'pixels', component: () => import('./PixelsPage.vue') },
  { path: String.raw`/pixels/:id([1-9]\d{0,14})`, name: 'pixel', component: () => import('./PixelPage.vue') },
];
