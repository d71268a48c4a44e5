import type { LinkRecord } from '../link-record.ts';
import type { PageTexts } from './page-texts.ts';
import type { PixelParts } from './pixel-parts.ts';

/** The visit that a page is rendered for. */
export interface TypePageContext {
  texts: PageTexts;
  /** Whether the host also serves /admin and /api, or pages of other accounts. */
  isShared: boolean;
  isSecure: boolean;
  /** Additional response headers, as a flat list of names and values. */
  headers: readonly string[];
}

/** Everything needed to render a page of a link type. */
export interface TypePageParts extends TypePageContext {
  link: Pick<LinkRecord, 'alias' | 'title' | 'description'>;
  /** The URL that the visit continues to. */
  location: string;
  pixels: PixelParts;
}
