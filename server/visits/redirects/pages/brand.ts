import { html, type Markup } from '../../../platform/text/markup.ts';

/** The look of a branded domain: paths of its pictures, re-encoded by this server. */
export interface Brand {
  /** The domain's host. */
  name: string;
  logo: string | null;
  favicon: string | null;
  /** Whether its owner chose a target for the bare domain. */
  hasRoot: boolean;
}

/** The logo that replaces ours; undefined without one. */
export function brandLogo(brand: Brand | undefined): Markup | undefined {
  return brand?.logo ? html`<img class="logo" src="${brand.logo}" alt="${brand.name}">` : undefined;
}

/** The icon elements of a page's head. */
export function brandIcon(brand: Brand | undefined): Markup {
  return html`${brand?.favicon && html`<link rel="icon" href="${brand.favicon}">`}`;
}
