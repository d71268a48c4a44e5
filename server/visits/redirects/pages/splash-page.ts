import { filled, html, type Markup } from '../../../platform/text/markup.ts';
import type { SplashContent } from '../page-queries.ts';
import { page } from './layout.ts';
import type { Page } from './pages.ts';
import type { TypePageParts } from './type-page-parts.ts';
import { typePolicy } from './type-policy.ts';

/** Seconds for which the default splash page is shown. */
const usualSeconds = 5;
/** Enough time for pixels to load and report the visit. */
const passingSeconds = { pictures: 1, scripts: 2 };

/**
 * A page that redirects after some seconds, or at once by its button. It needs no script. Without `goesOn`
 * it stays: in a preview, a browser would refuse the redirect and log an error.
 */
export function splashPage(parts: TypePageParts, splash?: SplashContent, goesOn = true): Page {
  const { texts, link } = parts;
  const { title, message, product, avatar, banner, counter = usualSeconds } = splash ?? {};
  const heading = title ?? link.title ?? texts.splash.title;
  const body = html`${banner && html`<img src="${banner}" alt="">`}
${avatar && html`<img class="avatar" src="${avatar}" alt="">`}
${(message ?? link.description) && html`<p><bdi>${message ?? link.description}</bdi></p>`}
${product && html`<p><a class="quiet" rel="nofollow noreferrer" href="${product}">${texts.splash.product}</a></p>`}
<p>${leading(parts)}</p>
<div class="time" role="presentation"><i></i></div>`;
  return goingOn(parts, { heading, body, seconds: counter, goesOn });
}

/** A page that only loads pixels. */
export function passingPage(parts: TypePageParts): Page {
  const { texts, pixels } = parts;
  const body = html`<p>${leading(parts)}</p>`;
  const seconds = pixels.scripts.length > 0 ? passingSeconds.scripts : passingSeconds.pictures;
  return goingOn(parts, { heading: texts.splash.timestamp, body, seconds });
}

function goingOn(
  { texts, location, pixels, isShared, headers }: TypePageParts,
  {
    heading,
    body,
    seconds,
    goesOn = true,
  }: { heading: string; body: Markup; seconds: number; goesOn?: boolean },
): Page {
  const style = `.avatar{width:72px;height:72px;object-fit:cover;border-radius:50%}.pixel{position:absolute;opacity:0}
strong{color:var(--text)}.time{height:4px;margin-top:16px;background:var(--line);border-radius:2px;overflow:hidden}
.time i{display:block;height:100%;background:var(--accent);transform-origin:left;animation:time ${seconds}s linear forwards}
[dir=rtl] .time i{transform-origin:right}@keyframes time{from{transform:scaleX(0)}}
@media (prefers-reduced-motion:reduce){.time{display:none}}`;
  const refresh = goesOn ? html`<meta http-equiv="refresh" content="${seconds};url=${location}">` : null;
  const head = html`${refresh}<style>${{ markup: style }}</style>`;
  const way = html`${body}
<a class="action" rel="noreferrer" href="${location}">${texts.splash.go}</a>
${pixels.markup}`;
  return {
    status: 200,
    headers,
    policy: typePolicy({
      styles: [style],
      images: ["'self'", ...pixels.images],
      scripts: pixels.scripts,
      connections: pixels.connections,
      frames: false,
      isShared,
    }),
    body: page(texts, heading, way, head),
  };
}

function leading({ texts, location }: TypePageParts): Markup {
  return filled(texts.splash.leads, { host: html`<strong dir="ltr">${new URL(location).hostname}</strong>` });
}
