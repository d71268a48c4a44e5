import { createHash } from 'node:crypto';
import { html, type Markup } from '../../../platform/text/markup.ts';
import { brandIcon, brandLogo } from './brand.ts';
import { fontFaces, fontFamily } from './font.ts';
import type { PageTexts } from './page-texts.ts';

const style = `
${fontFaces}
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--text:#15181e;--soft:#586070;--line:#e2e5ea;--accent:#4f46e5;--on:#fff;--wrong:#b42318}
@media (prefers-color-scheme:dark){:root{--ground:#0d0f13;--card:#161a21;--text:#eef0f4;--soft:#9aa3b2;--line:#262c36;--accent:#818cf8;--on:#0b1020;--wrong:#ff9c92}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--text);font:16px/1.55 ${fontFamily};-webkit-text-size-adjust:100%}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:32px;box-shadow:0 1px 2px #0000000a,0 12px 32px #0000000d}
svg{display:block;width:36px;height:36px;margin-bottom:20px;color:var(--accent)}
h1{margin:0 0 8px;font-size:1.25rem;line-height:1.3;letter-spacing:-.01em;overflow-wrap:anywhere}
p{margin:0 0 12px;color:var(--soft)}
p:last-child{margin-bottom:0}
label,dt{display:block;margin:16px 0 6px;font-size:.875rem;font-weight:600;color:var(--text)}
dl{margin:0 0 12px}dd{margin:0;overflow-wrap:anywhere;color:var(--text)}
input{width:100%;min-height:44px;padding:8px 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:10px}
.action{display:inline-block;width:100%;min-height:44px;margin-top:16px;padding:9px 16px;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--on);background:var(--accent);border:0;border-radius:10px;cursor:pointer}
.quiet{color:var(--accent);text-underline-offset:3px}
.wrong{color:var(--wrong);font-weight:600}
img{display:block;max-width:100%;border-radius:10px;margin-bottom:16px}
ul{margin:0;padding:0;list-style:none}li{margin:12px 0 0;overflow-wrap:anywhere}
.card{display:block;padding:14px 16px;border:1px solid var(--line);border-radius:12px;color:var(--soft);text-decoration:none;font-size:.875rem}
.card:hover{border-color:var(--accent)}.card>*{display:block}.card strong{font-size:1rem;color:var(--text)}.card bdi{color:var(--accent)}.card span{margin-top:6px}
.photo{width:72px;height:72px;border-radius:50%;object-fit:cover}
.logo{max-height:64px;margin-bottom:20px;border-radius:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

/** The CSP source of the style that every page has. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const styleElement: Markup = { markup: `<style>${style}</style>` };

/** The app's logo, a signpost. */
const mark: Markup = {
  markup:
    '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5"/><path d="M9 25V8" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><path d="M9.6 8.6h9.2a1.6 1.6 0 0 1 1.1.46l2.9 2.8a1.2 1.2 0 0 1 0 1.72l-2.9 2.8a1.6 1.6 0 0 1-1.1.46H9.6z" fill="#fff"/></svg>',
};

/** What a page's policy allows; by default nothing. */
export interface PageNeeds {
  form?: boolean;
  /** Images from other servers too (the page for preview fetchers shows one). */
  images?: boolean;
  /** Downloads started by the page's form or link. */
  downloads?: boolean;
  /** Links with custom schemes, which open other programs. */
  programs?: boolean;
  /** The CSP source of a style that only this page has. */
  style?: string;
}

/**
 * The policy of a page. It is sandboxed without `allow-same-origin`: the same host may serve /admin and /api, and a
 * page with user content must not share their origin (decision 0033). `form-action` lists schemes and not
 * only 'self', because Chromium applies it to the redirect after the form too.
 */
export function contentPolicy({
  form = false,
  images = false,
  downloads = false,
  programs = false,
  style: ownStyle,
}: PageNeeds = {}): string {
  const sandbox = [
    'sandbox',
    form && 'allow-forms',
    downloads && 'allow-downloads',
    programs && 'allow-top-navigation-to-custom-protocols',
  ];
  return [
    "default-src 'none'",
    ['style-src', styleSource, ownStyle].filter(Boolean).join(' '),
    "font-src 'self'",
    images ? "img-src 'self' https: http:" : "img-src 'self'",
    form ? "form-action 'self' https: http:" : "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    sandbox.filter(Boolean).join(' '),
  ].join('; ');
}

/** A complete page in the common layout. */
export function page(texts: PageTexts, title: string, body: Markup, head: Markup = { markup: '' }): string {
  return html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${brandIcon(texts.brand)}${head}${styleElement}
</head>
<body>
<main>
${brandLogo(texts.brand) ?? mark}<h1><bdi>${title}</bdi></h1>
${body}
</main>
</body>
</html>
`.markup;
}
