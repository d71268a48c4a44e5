import type { RouteRecordRaw } from 'vue-router';

/** Boxes that stand over the destinations of links, and what visitors sent to them. */
export const routes: RouteRecordRaw[] = [
  { path: '/overlays', name: 'overlays', component: () => import('./OverlaysPage.vue') },
  {
    path: '/overlays/:id(\\d+)/answers',
    name: 'overlay-answers',
    props: ({ params }) => ({ id: Number(params.id) }),
    component: () => import('./OverlayAnswersPage.vue'),
  },
];
