import type { RouteRecordRaw } from 'vue-router';

/** Pages that are shown before the destinations of links. */
export const routes: RouteRecordRaw[] = [
  { path: '/splash', name: 'splash', component: () => import('./SplashPages.vue') },
];
