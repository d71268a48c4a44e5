import type { RouteRecordRaw } from 'vue-router';

/** Route of the unmatched visits list. */
export const routes: RouteRecordRaw[] = [
  { path: '/missed-visits', name: 'missed-visits', component: () => import('./MissedVisitsPage.vue') },
];
