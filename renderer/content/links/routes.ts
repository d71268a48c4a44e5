import type { RouteRecordRaw } from 'vue-router';

/** Routes of the link list and a link's page. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/links',
    name: 'links',
    meta: {
      ahead: async ({ query }) => {
        const { fetchLinksAhead } = await import('./link-pages.ts');
        fetchLinksAhead(query);
      },
    },
    component: () => import('./LinksPage.vue'),
  },
  { path: String.raw`/links/:id([1-9]\d{0,14})`, name: 'link', component: () => import('./LinkPage.vue') },
];
