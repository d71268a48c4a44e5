import type { RouteRecordRaw } from 'vue-router';

/** Copying between two servers. A page in a browser knows one, and is sent home. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/transfer',
    name: 'transfer',
    component: () => import('./TransferPage.vue'),
    beforeEnter: () => window.desktop !== undefined || { name: 'home' },
  },
];
