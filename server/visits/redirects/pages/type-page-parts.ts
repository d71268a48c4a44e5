import type { LinkRecord } from '../link-record.ts';
import type { PageTexts } from './page-texts.ts';
import type { PixelParts } from './pixel-parts.ts';

/** What a page is made for. */
export interface TypePageContext {
  texts: PageTexts;
  /** Whether the host also answers /admin and /api, or has pages of other accounts. */
  isShared: boolean;
  isSecure: boolean;
  /** A flat list of names and values that the answer carries too. */
  headers: readonly string[];
}

/** Everything that a page of a type is built from. */
export interface TypePageParts extends TypePageContext {
  link: Pick<LinkRecord, 'alias' | 'title' | 'description'>;
  /** The URL that the visit continues to. */
  location: string;
  pixels: PixelParts;
}
