import type { RouteRecordRaw } from 'vue-router';

/** Route of the settings page, with a parameter for the section. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/settings/:section(profile|preferences|security|privacy|team|keys|webhooks|users|plans|instance|sso|mail|backups|sharing|fleet|desktop|about)?',
    name: 'settings',
    component: () => import('./SettingsPage.vue'),
  },
];
