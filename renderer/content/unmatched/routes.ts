import type { RouteRecordRaw } from 'vue-router';

/** What visitors asked for and nobody has. */
export const routes: RouteRecordRaw[] = [
  { path: '/missed-visits', name: 'missed-visits', component: () => import('./MissedVisitsPage.vue') },
];
