import type { RouteRecordRaw } from 'vue-router';

/** The servers that this desktop knows. A page in a browser has one, and is sent home. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/instances',
    name: 'instances',
    component: () => import('./InstancesPage.vue'),
    beforeEnter: () => window.desktop !== undefined || { name: 'home' },
  },
];
