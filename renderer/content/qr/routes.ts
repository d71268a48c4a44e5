import type { RouteRecordRaw } from 'vue-router';

/** QR codes of every content. */
export const routes: RouteRecordRaw[] = [
  { path: '/qr-codes', name: 'qr-codes', component: () => import('./QrCodesPage.vue') },
];
