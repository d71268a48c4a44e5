import type { Action } from '../../server/contract/roles.ts';
import type { messages } from './messages.ts';

export interface NavigationEntry {
  /** Name of the route, and of its message below `frame.pages`. */
  readonly name: keyof (typeof messages)['en']['frame']['pages'];
  readonly icon: string;
  /** The letter after G that goes there. */
  readonly letter: string;
  /** Other routes that light this entry up. */
  readonly also?: readonly string[];
  /** What the server must have, by the names of `meta.features`; absent for pages that every server fills. */
  readonly feature?: string;
  /** What a role must allow with everything in the account. */
  readonly action?: Action;
}

/**
 * The pages in the sidebar, in its order, one array for each group with a line between them. One more line here is one
 * more entry in the sidebar, the command palette and the shortcuts. Icons are literals, so that they are bundled.
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

/** The entries at the foot of the sidebar. */
export const footNavigation: readonly NavigationEntry[] = [
  { name: 'api-reference', icon: 'i-lucide-square-code', letter: 'r', feature: 'openapi' },
  { name: 'settings', icon: 'i-lucide-settings', letter: 's' },
];

/** Pages that the palette and the shortcuts know, but the sidebar has no line for. */
const furtherPages: readonly NavigationEntry[] = [
  { name: 'import', icon: 'i-lucide-file-up', letter: 'i', feature: 'import', action: 'edit' },
];

/** Pages about servers, not of one: only the desktop knows several. */
export const desktopPages: readonly NavigationEntry[] = [
  { name: 'instances', icon: 'i-lucide-network', letter: 'x' },
  { name: 'transfer', icon: 'i-lucide-copy-plus', letter: 't', action: 'edit' },
];

/** Every page that one can go to. */
export const everyPage: readonly NavigationEntry[] = [
  ...navigation.flat(),
  ...furtherPages,
  ...footNavigation,
];
