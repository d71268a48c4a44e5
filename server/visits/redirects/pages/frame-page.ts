import { html, type Markup } from '../../../platform/text/markup.ts';
import type { OverlayContent } from '../page-queries.ts';
import { aliasPath } from '../short-url.ts';
import { brandIcon, brandLogo } from './brand.ts';
import { fontFaces, fontFamily } from './font.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';
import type { TypePageParts } from './type-page-parts.ts';
import { typePolicy } from './type-policy.ts';

const style = `
${fontFaces}
:root{color-scheme:light dark;--bar:#fff;--text:#15181e;--line:#e2e5ea;--accent:#4f46e5}
@media (prefers-color-scheme:dark){:root{--bar:#161a21;--text:#eef0f4;--line:#262c36;--accent:#818cf8}}
*{box-sizing:border-box}
body{margin:0;height:100vh;height:100dvh;display:flex;flex-direction:column;color:var(--text);background:var(--bar);font:15px/1.5 ${fontFamily}}
header{display:flex;gap:12px;align-items:center;justify-content:space-between;min-height:44px;padding:0 16px;border-bottom:1px solid var(--line)}
header .logo{flex:none;max-height:28px;max-width:40%}
header h1{flex:1;margin:0;font:inherit;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
header a{flex:none;padding:10px 0;color:var(--accent);font-weight:600}
main{flex:1;display:flex}iframe{flex:1;width:100%;border:0;background:#fff}
.pixel{position:absolute;opacity:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

/**
 * The destination in a frame below a bar, with the link's overlay if it has one. It needs no script. A preview
 * passes `standIn`, which is shown instead of the destination.
 */
export function framePage(parts: TypePageParts, overlay?: OverlayContent, standIn?: Markup): Page {
  const { texts, link, location, pixels, isShared, headers } = parts;
  const { hostname } = new URL(location);
  const title = link.title ?? hostname;
  const box = overlay && overlayBox(overlay, `/${aliasPath(link.alias)}`, texts);
  const asks = overlay?.type === 'newsletter' || overlay?.type === 'poll';
  const styles = box ? [style, box.style] : [style];
  const view =
    standIn ?? html`<iframe src="${location}" title="${hostname}" referrerpolicy="no-referrer"></iframe>`;
  return {
    status: 200,
    headers,
    policy: typePolicy({
      styles,
      images: ["'self'", ...pixels.images],
      scripts: pixels.scripts,
      connections: pixels.connections,
      frames: true,
      forms: asks,
      isShared,
    }),
    body: html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${brandIcon(texts.brand)}${styles.map((text) => html`<style>${{ markup: text }}</style>`)}
</head>
<body>
<header>${brandLogo(texts.brand)}<h1><bdi>${title}</bdi></h1><a rel="noreferrer" href="${location}">${texts.frame.direct}</a></header>
<main>${view}</main>
${box?.markup}${pixels.markup}
</body>
</html>
`.markup,
  };
}

/** Positions of the box below the bar. Centered ones are as wide as their content, at most as wide as the page. */
const places: Record<string, string> = {
  topleft: 'top:60px;left:16px',
  top: 'top:60px;left:16px;right:16px;margin:0 auto;width:fit-content',
  topright: 'top:60px;right:16px',
  center: 'inset:60px 16px 16px;margin:auto;width:fit-content;height:fit-content',
  bottomleft: 'bottom:16px;left:16px',
  bottom: 'bottom:16px;left:16px;right:16px;margin:0 auto;width:fit-content',
  bottomright: 'bottom:16px;right:16px',
};

/** The overlay as a box that visitors can close: `details` does that without a script. */
function overlayBox(
  overlay: OverlayContent,
  path: string,
  texts: PageTexts,
): { markup: Markup; style: string } {
  const { background, text, button, buttontext } = overlay.colors;
  const place = places[overlay.position] ?? places.bottomright;
  // Colors were validated as six digits when they were stored.
  const boxStyle = `
details{position:fixed;${place};z-index:1;max-width:min(22rem,calc(100vw - 32px))}
summary{width:36px;height:36px;margin-inline-start:auto;list-style:none;display:grid;place-items:center;cursor:pointer;color:${text};background:${background};border-radius:50%;box-shadow:0 1px 6px #0003;font-size:20px}
summary::-webkit-details-marker{display:none}details:not([open]) summary{transform:rotate(45deg)}
@media (max-width:30rem){details{left:16px;right:16px;width:auto;max-width:none}}
.box{margin-top:8px;padding:20px;max-height:calc(100vh - 124px);max-height:calc(100dvh - 124px);overflow-y:auto;color:${text};background:${background};border-radius:14px;box-shadow:0 8px 32px #0003;overflow-wrap:anywhere}
.box>*{margin:0 0 12px}.box>:last-child{margin-bottom:0}.box img{display:block;max-width:100%;max-height:50vh;border-radius:8px}
.act{display:block;padding:10px 16px;text-align:center;text-decoration:none;font-weight:600;color:${buttontext};background:${button};border-radius:10px}
.act+.act{margin-top:8px}button.act{width:100%;font:inherit;font-weight:600;border:0;cursor:pointer}
input[type=email]{width:100%;min-height:44px;margin-bottom:8px;padding:8px 12px;font:inherit;color:inherit;background:transparent;border:1px solid currentColor;border-radius:10px}
code{display:block;padding:10px;text-align:center;font:600 1.25rem ui-monospace,monospace;border:2px dashed ${button};border-radius:10px;user-select:all}
`;
  return {
    style: boxStyle,
    markup: html`<details open><summary aria-label="${texts.frame.close}">×</summary>
<div class="box" role="complementary" dir="auto">${contentOf(overlay, path, texts.frame)}</div></details>`,
  };
}

function contentOf(
  { id, type, content, picture }: OverlayContent,
  path: string,
  texts: PageTexts['frame'],
): Markup {
  const say = (name: string) => (typeof content[name] === 'string' ? content[name] : '');
  const act = (href: string, label: string) =>
    html`<a class="act" rel="nofollow noreferrer" href="${href}">${label}</a>`;
  switch (type) {
    case 'message':
      return html`<p>${say('text')}</p>${say('link') !== '' && act(say('link'), say('label') || texts.more)}`;
    case 'contact':
      return html`<p>${say('title')}</p>${act(`mailto:${encodeURI(say('email'))}`, say('button'))}`;
    case 'coupon':
      return html`<p>${say('text')}</p><code dir="ltr">${say('code')}</code>`;
    case 'image': {
      if (say('link') === '') return html`${picture && html`<img src="${picture}" alt="">`}`;
      // A link needs an accessible name: without a text it is named after its destination.
      const name = URL.parse(say('link'))?.hostname ?? say('link');
      const image = picture ? html`<img src="${picture}" alt="${name}">` : html`${name}`;
      return html`<a rel="nofollow noreferrer" href="${say('link')}">${image}</a>`;
    }
    case 'newsletter':
      return html`<p>${say('title')}</p>
<form method="post" action="/o/${id}"><input type="hidden" name="back" value="${path}">
<input type="email" name="answer" aria-label="${texts.email}" placeholder="${texts.email}" dir="ltr" autocomplete="email" maxlength="254" required>
<button class="act" type="submit">${say('button')}</button></form>`;
    case 'poll': {
      const answers = Array.isArray(content.answers) ? content.answers.map(String) : [];
      const buttons = answers.map(
        (text) => html`<button class="act" type="submit" name="answer" value="${text}">${text}</button>`,
      );
      return html`<p>${say('question')}</p>
<form method="post" action="/o/${id}"><input type="hidden" name="back" value="${path}">${buttons}</form>`;
    }
  }
}
