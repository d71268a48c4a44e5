import type { RouteRecordRaw } from 'vue-router';

/** Route of the splash page list. */
export const routes: RouteRecordRaw[] = [
  { path: '/splash', name: 'splash', component: () => import('./SplashPages.vue') },
];
