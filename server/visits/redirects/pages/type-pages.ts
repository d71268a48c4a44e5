import { framedAddress } from '../framed-address.ts';
import type { LinkRecord } from '../link-record.ts';
import type { OverlayContent, PageQueries } from '../page-queries.ts';
import { framePage } from './frame-page.ts';
import type { Page } from './pages.ts';
import { pixelParts } from './pixel-parts.ts';
import { passingPage, splashPage } from './splash-page.ts';
import type { TypePageContext, TypePageParts } from './type-page-parts.ts';

export interface TypePages {
  /** The page shown before or around the destination; undefined for a direct redirect. */
  of(link: LinkRecord, location: string, context: TypePageContext): Page | undefined;
}

interface Options {
  queries: PageQueries;
  randomBytes: (size: number) => Buffer;
}

/** Chooses the page of a link: frame, splash, a custom splash page, an overlay, or pixels alone (decision 0021). */
export function typePages({ queries, randomBytes }: Options): TypePages {
  function overlayOf(link: LinkRecord): OverlayContent | undefined {
    const id = /^overlay-(\d+)$/.exec(link.type)?.[1];
    return id === undefined ? undefined : queries.findOverlay(Number(id), link.userId);
  }

  /** If a browser would refuse to frame the destination, visitors are redirected instead. */
  function canFrame(link: LinkRecord, location: string, { isSecure }: TypePageContext): boolean {
    // Browsers do not show an http page inside an https one.
    if (isSecure && location.startsWith('http:')) return false;
    const address = framedAddress(location);
    return address !== undefined && !queries.forbidsFrames(link.id, address);
  }

  return {
    of(link, location, context) {
      const nonce = randomBytes(16).toString('base64');
      const pixels = pixelParts(queries.findPixels(link.pixels, link.userId), nonce);
      const parts: TypePageParts = { ...context, link, location, pixels };
      const overlay = overlayOf(link);
      const wantsFrame = link.type === 'frame' || overlay !== undefined;
      if (wantsFrame && canFrame(link, location, context)) return framePage(parts, overlay);
      if (link.type === 'splash') return splashPage(parts);
      const splash = /^\d+$/.test(link.type) ? queries.findSplash(Number(link.type), link.userId) : undefined;
      if (splash) return splashPage(parts, splash);
      return pixels.images.length > 0 ? passingPage(parts) : undefined;
    },
  };
}
