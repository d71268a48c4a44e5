import type { RouteRecordRaw } from 'vue-router';

/** Routes of the domain list and a domain's page. */
export const routes: RouteRecordRaw[] = [
  { path: '/domains', name: 'domains', component: () => import('./DomainsPage.vue') },
  {
    path: String.raw`/domains/:id([1-9]\d{0,14})`,
    name: 'domain',
    component: () => import('./DomainPage.vue'),
  },
  {
    path: String.raw`/domains/:id([1-9]\d{0,14})/statistics`,
    name: 'domain-statistics',
    props: { kind: 'domain' },
    component: () => import('../../visits/overview/PartStatsPage.vue'),
  },
];
