import type { Action } from '../../server/contract/roles.ts';
import type { messages } from './messages.ts';

export interface NavigationEntry {
  /** Route name, and its message key under `frame.pages`. */
  readonly name: keyof (typeof messages)['en']['frame']['pages'];
  readonly icon: string;
  /** The letter of the shortcut, after G. */
  readonly letter: string;
  /** Other routes for which this entry is highlighted. */
  readonly also?: readonly string[];
  /** The required feature, by its name in `meta.features`; undefined for pages that work with every server. */
  readonly feature?: string;
  /** The required permission on all records of the account. */
  readonly action?: Action;
}

/**
 * The pages in the sidebar, grouped by dividers. An entry here also appears in the command palette and the shortcuts.
 * Icons are literals, so that they are bundled.
 */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { name: 'overview', icon: 'i-lucide-layout-dashboard', letter: 'o', also: ['compare'], feature: 'stats' },
    { name: 'links', icon: 'i-lucide-link', letter: 'l', also: ['link', 'import'], feature: 'links' },
    { name: 'campaigns', icon: 'i-lucide-megaphone', letter: 'c', also: ['campaign'], feature: 'campaigns' },
    {
      name: 'channels',
      icon: 'i-lucide-tags',
      letter: 'h',
      also: ['channel', 'channel-statistics'],
      feature: 'channels',
    },
    { name: 'qr-codes', icon: 'i-lucide-qr-code', letter: 'q', feature: 'qr' },
    { name: 'bio', icon: 'i-lucide-panels-top-left', letter: 'b', also: ['bio-page'], feature: 'bio' },
    { name: 'files', icon: 'i-lucide-folder', letter: 'f', feature: 'files' },
  ],
  [
    {
      name: 'overlays',
      icon: 'i-lucide-layers',
      letter: 'v',
      also: ['overlay-answers'],
      feature: 'overlays',
    },
    { name: 'splash', icon: 'i-lucide-hourglass', letter: 'w', feature: 'splash' },
    { name: 'pixels', icon: 'i-lucide-radar', letter: 'p', also: ['pixel'], feature: 'pixels' },
    {
      name: 'domains',
      icon: 'i-lucide-globe',
      letter: 'd',
      also: ['domain', 'domain-statistics'],
      feature: 'domains',
    },
  ],
  [
    { name: 'missed-visits', icon: 'i-lucide-unlink', letter: 'm', feature: 'orphans' },
    { name: 'activity', icon: 'i-lucide-history', letter: 'y', feature: 'audit' },
  ],
];

/** The entries at the bottom of the sidebar. */
export const footNavigation: readonly NavigationEntry[] = [
  { name: 'api-reference', icon: 'i-lucide-square-code', letter: 'r', feature: 'openapi' },
  { name: 'settings', icon: 'i-lucide-settings', letter: 's' },
];

/** Pages in the palette and shortcuts that are not in the sidebar. */
const furtherPages: readonly NavigationEntry[] = [
  { name: 'import', icon: 'i-lucide-file-up', letter: 'i', feature: 'import', action: 'edit' },
];

/** Pages across servers: only the desktop app knows several. */
export const desktopPages: readonly NavigationEntry[] = [
  { name: 'instances', icon: 'i-lucide-network', letter: 'x' },
  { name: 'transfer', icon: 'i-lucide-copy-plus', letter: 't', action: 'edit' },
];

/** All navigable pages. */
export const everyPage: readonly NavigationEntry[] = [
  ...navigation.flat(),
  ...furtherPages,
  ...footNavigation,
];
