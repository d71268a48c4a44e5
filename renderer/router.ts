import { createRouter, type LocationQuery, type RouteRecordRaw, type Router } from 'vue-router';
import { accountHistory, routeOfLink } from './account-history.ts';
import { ignoreRejection } from './api/ignore-rejection.ts';
import { useInstanceStore } from './api/instance.ts';
import { routes as bioRoutes } from './content/bio/routes.ts';
import { routes as campaignRoutes } from './content/campaigns/routes.ts';
import { routes as channelRoutes } from './content/channels/routes.ts';
import { routes as comparisonRoutes } from './content/comparison/routes.ts';
import { routes as fileRoutes } from './content/files/routes.ts';
import { routes as importRoutes } from './content/import/routes.ts';
import { routes as linkRoutes } from './content/links/routes.ts';
import { routes as overlayRoutes } from './content/overlays/routes.ts';
import { routes as pixelRoutes } from './content/pixels/routes.ts';
import { routes as qrRoutes } from './content/qr/routes.ts';
import { routes as splashRoutes } from './content/splash/routes.ts';
import { routes as unmatchedRoutes } from './content/unmatched/routes.ts';
import { loadFrame } from './frame/load-frame.ts';
import { useNavigation } from './frame/use-navigation.ts';
import { routes as activityRoutes } from './identity/activity/routes.ts';
import SignInPage from './identity/session/SignInPage.vue';
import { useSessionStore } from './identity/session/session.ts';
import { routes as domainRoutes } from './network/domains/routes.ts';
import { routes as instanceRoutes } from './network/instances/routes.ts';
import { routes as settingsRoutes } from './operations/settings/routes.ts';
import { routes as transferRoutes } from './operations/transfer/routes.ts';
import { sentencesReady } from './ui/sentences.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** For users who are not signed in; rendered without the frame. */
    readonly bare?: boolean;
    /** Starts loading what the page shows first, before it is open. */
    readonly ahead?: (to: { readonly query: LocationQuery }) => Promise<void>;
  }
}

const routes: RouteRecordRaw[] = [
  // Never shown: the guard redirects to a page. An imported component would be loaded ahead for nothing.
  { path: '/', name: 'home', component: { render: () => null } },
  {
    path: '/setup',
    name: 'setup',
    meta: { bare: true },
    component: () => import('./operations/setup/SetupPage.vue'),
  },
  {
    path: '/sign-in',
    name: 'sign-in',
    meta: { bare: true },
    // Part of the main chunk: it is the first page, and most other pages use its fields and buttons.
    component: SignInPage,
  },
  {
    path: '/register',
    name: 'register',
    meta: { bare: true },
    component: () => import('./identity/session/RegisterPage.vue'),
  },
  {
    path: '/forgot',
    name: 'forgot',
    meta: { bare: true },
    component: () => import('./identity/session/ForgotPage.vue'),
  },
  {
    path: '/reset',
    name: 'reset',
    meta: { bare: true },
    component: () => import('./identity/session/ResetPage.vue'),
  },
  {
    path: '/signed-in',
    name: 'signed-in',
    meta: { bare: true },
    component: () => import('./identity/single-sign-on/SignedInPage.vue'),
  },
  {
    path: '/connect',
    name: 'connect',
    meta: { bare: true },
    component: () => import('./identity/browser-sign-in/ConnectPage.vue'),
  },
  {
    path: '/join',
    name: 'join',
    meta: { bare: true },
    component: () => import('./identity/teams/JoinPage.vue'),
  },
  { path: '/overview', name: 'overview', component: () => import('./visits/overview/OverviewPage.vue') },
  ...linkRoutes,
  ...comparisonRoutes,
  ...campaignRoutes,
  ...channelRoutes,
  ...pixelRoutes,
  ...importRoutes,
  ...bioRoutes,
  ...qrRoutes,
  ...fileRoutes,
  ...domainRoutes,
  ...overlayRoutes,
  ...splashRoutes,
  ...unmatchedRoutes,
  ...activityRoutes,
  {
    path: '/api',
    name: 'api-reference',
    component: () => import('./operations/api-reference/ApiReferencePage.vue'),
  },
  ...settingsRoutes,
  ...instanceRoutes,
  ...transferRoutes,
  { path: '/:pathMatch(.*)*', name: 'not-found', component: () => import('./frame/NotFoundPage.vue') },
];

/** Starts loading the scripts of the page at a route. */
function fetchPage(router: Router, path: string): void {
  const { matched } = router.resolve(path);
  for (const { components } of matched) {
    for (const page of Object.values(components ?? {})) {
      // Pages are functions that import them. Failures are reported when the page is to be shown.
      if (typeof page === 'function') ignoreRejection(Promise.resolve((page as () => unknown)()));
    }
  }
}

/** Starts loading the page of the current URL, which is needed as soon as the session state is known. */
export function fetchPageAhead(router: Router): void {
  fetchPage(router, router.options.history.location);
}

/** Loads pages, with what they show first, once the pointer or the focus is on a link to them. */
export function fetchOnApproach(router: Router): void {
  const instance = useInstanceStore();
  let before: Element | null = null;
  const approach = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link === before) return;
    before = link;
    const path = link && routeOfLink(link, router.options.history.base, instance.team);
    if (!path || !instance.account) return;
    const to = router.resolve(path);
    if (to.name === 'not-found' || to.name === router.currentRoute.value.name) return;
    fetchPage(router, path);
    if (to.meta.ahead) ignoreRejection(to.meta.ahead(to));
  };
  for (const event of ['pointerover', 'focusin'])
    document.addEventListener(event, approach, { passive: true });
}

/** The router of the pages below /admin/, in the desktop app and in browsers, with guards for the session state. */
export function pageRouter(): Router {
  const instance = useInstanceStore();
  const router = createRouter({
    history: accountHistory('/admin/', {
      team: () => instance.team,
      begin(team) {
        instance.team = team;
      },
      moved: (team) => void useSessionStore().actFor(team),
    }),
    routes,
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  });

  router.beforeEach(async (to) => {
    const session = useSessionStore();
    const pages = useNavigation();
    switch (await session.settled()) {
      case 'fresh':
        return to.name === 'setup' || { name: 'setup', hash: to.hash };
      case 'signed-out':
        if (['sign-in', 'register', 'signed-in', 'join', 'forgot', 'reset'].includes(String(to.name)))
          return true;
        return { name: 'sign-in', query: to.fullPath === '/' ? {} : { return: to.fullPath } };
      case 'signed-in':
        if (to.name === 'sign-in' || to.name === 'home') return { name: pages.home.value };
        // These pages stay open while they show the key, which cannot be shown again.
        if ((to.name === 'setup' || to.name === 'register') && !session.newKey)
          return { name: pages.home.value };
        // A bookmark, or a page of another instance, that this one does not support.
        return pages.offers(String(to.name)) || { name: pages.home.value };
    }
  });
  // Render a page only once everything is loaded; failures are reported like those of the page itself.
  router.beforeResolve(async (to, from) => {
    if (to.meta.ahead && to.name !== from.name) ignoreRejection(to.meta.ahead(to));
    if (!to.meta.bare) await loadFrame();
    await sentencesReady();
  });
  router.afterEach(() => {
    useSessionStore().isMoving = false;
  });
  // Until its first page is shown, the router does not hear of Back and Forward, and would then put that page into the
  // history entry that they led to.
  const stop = router.options.history.listen((to) => ignoreRejection(router.replace(to)));
  ignoreRejection(router.isReady().finally(stop));
  return router;
}
