import { html } from '../../../platform/text/markup.ts';
import type { OverlayContent, SplashContent } from '../page-queries.ts';
import { framePage } from './frame-page.ts';
import type { PageTexts } from './page-texts.ts';
import { splashPage } from './splash-page.ts';
import type { TypePageParts } from './type-page-parts.ts';

/** An example link; its destination is a reserved name (RFC 2606). */
const parts: Omit<TypePageParts, 'texts'> = {
  isShared: true,
  isSecure: true,
  headers: [],
  link: { alias: 'example', title: null, description: null },
  location: 'https://www.example.com/',
  pixels: { markup: html``, images: [], scripts: [], connections: [] },
};

/**
 * An overlay's page with these texts, as a single document; pictures are `data:` URLs or
 * missing. A sketch replaces the destination: the page around a preview may not load external content, and the
 * destination must not see the request.
 */
export function overlayPreview(overlay: OverlayContent, texts: PageTexts): string {
  return framePage({ ...parts, texts }, overlay, sketch).body;
}

/** A splash page with these texts, as a single document; pictures as for overlays. */
export function splashPreview(splash: SplashContent, texts: PageTexts): string {
  return splashPage({ ...parts, texts }, splash, false).body;
}

const bars = [38, 92, 88, 95, 60, 0, 90, 94, 72, 0, 84, 91, 66, 0, 93, 87, 95, 48];
const sketch = html`<div style="flex:1;overflow:hidden;padding:min(6vw,48px);background:#f3f4f6" aria-hidden="true">
<div style="height:min(34vw,260px);margin-bottom:32px;background:#e2e5ea;border-radius:12px"></div>
${bars.map((width) => html`<div style="height:14px;width:${width}%;margin-bottom:16px;background:#dfe2e7;border-radius:7px"></div>`)}
</div>`;
