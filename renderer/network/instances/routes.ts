import type { RouteRecordRaw } from 'vue-router';

/** Route of the instance list. A browser page only knows one server and redirects to the start page. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/instances',
    name: 'instances',
    component: () => import('./InstancesPage.vue'),
    beforeEnter: () => window.desktop !== undefined || { name: 'home' },
  },
];
