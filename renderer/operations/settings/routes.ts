import type { RouteRecordRaw } from 'vue-router';

/** The settings: one page with a section for each address below it. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/settings/:section(profile|preferences|security|privacy|team|keys|webhooks|users|plans|instance|sso|mail|backups|sharing|fleet|desktop|about)?',
    name: 'settings',
    component: () => import('./SettingsPage.vue'),
  },
];
