import type { RouteRecordRaw } from 'vue-router';

/** Routes of the overlay list and an overlay's submissions. */
export const routes: RouteRecordRaw[] = [
  { path: '/overlays', name: 'overlays', component: () => import('./OverlaysPage.vue') },
  {
    path: '/overlays/:id(\\d+)/answers',
    name: 'overlay-answers',
    props: ({ params }) => ({ id: Number(params.id) }),
    component: () => import('./OverlayAnswersPage.vue'),
  },
];
