import type { RouteRecordRaw } from 'vue-router';

/** Route for copying between servers. A browser page only knows one server and redirects to the start page. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/transfer',
    name: 'transfer',
    component: () => import('./TransferPage.vue'),
    beforeEnter: () => window.desktop !== undefined || { name: 'home' },
  },
];
