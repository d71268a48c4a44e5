import { createRouter, createWebHistory, type RouteRecordRaw, type Router } from 'vue-router';
import { routes as importRoutes } from './import/routes.ts';
import { routes as linkRoutes } from './links/routes.ts';
import { useSessionStore } from './session/session.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** For people who are not signed in; shown without the frame. */
    readonly bare?: boolean;
  }
}

const routes: RouteRecordRaw[] = [
  { path: '/', redirect: { name: 'overview' } },
  { path: '/setup', name: 'setup', meta: { bare: true }, component: () => import('./session/SetupPage.vue') },
  {
    path: '/sign-in',
    name: 'sign-in',
    meta: { bare: true },
    component: () => import('./session/SignInPage.vue'),
  },
  { path: '/overview', name: 'overview', component: () => import('./overview/OverviewPage.vue') },
  ...linkRoutes,
  ...importRoutes,
  { path: '/api', name: 'api-reference', component: () => import('./api-reference/ApiReferencePage.vue') },
  { path: '/settings', name: 'settings', component: () => import('./settings/SettingsPage.vue') },
  { path: '/:pathMatch(.*)*', name: 'not-found', component: () => import('./frame/NotFoundPage.vue') },
];

/** The pages below /admin/, in the desktop as in a browser, guarded by who is signed in. */
export function pageRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/admin/'),
    routes,
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  });

  router.beforeEach(async (to) => {
    const session = useSessionStore();
    switch (await session.settled()) {
      case 'fresh':
        return to.name === 'setup' || { name: 'setup' };
      case 'signed-out':
        if (to.name === 'sign-in') return true;
        return { name: 'sign-in', query: to.fullPath === '/' ? {} : { return: to.fullPath } };
      case 'signed-in':
        // The set-up page stays while it shows the key that nobody sees again.
        if (to.name === 'sign-in' || (to.name === 'setup' && !session.newKey)) return { name: 'overview' };
        return true;
    }
  });
  return router;
}
