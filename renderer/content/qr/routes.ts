import type { RouteRecordRaw } from 'vue-router';

/** Route of the QR code list. */
export const routes: RouteRecordRaw[] = [
  { path: '/qr-codes', name: 'qr-codes', component: () => import('./QrCodesPage.vue') },
];
