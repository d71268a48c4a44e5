import { createHash } from 'node:crypto';
import { socialNetworks } from '../../../contract/bio-blocks.ts';
import type { BioTheme } from '../../../contract/bio-themes.ts';
import { html, type Markup } from '../../../platform/text/markup.ts';
import type { ShownBlock } from './bio-blocks.ts';
import { copyElement, copyScript, hostOf, sharable } from './bio-sharing.ts';
import { signs } from './bio-signs.ts';
import { bioStyle, lookStyle } from './bio-style.ts';
import { brandIcon } from './brand.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';
import { sizeText } from './size-text.ts';
import { socialIcon } from './social-icons.ts';

/** The content of a bio page. All text is plain. */
export interface BioView {
  title: string;
  description: string | null;
  /** URL of the avatar on the page. */
  avatar: string | undefined;
  look: BioTheme;
  blocks: readonly ShownBlock[];
}

interface Context {
  texts: PageTexts;
  /** The page's own URL, and that of its host. */
  address: string;
  base: string;
  /** The requested path, to return to after a form. */
  path: string;
  /** Whether the host also serves /admin and /api, or pages of other accounts. */
  isShared: boolean;
}

/** A bio page for visitors, without third-party requests or required scripts. */
export function bioPage(view: BioView, context: Context): Page {
  const { texts, address, base, path, isShared } = context;
  const styles = [bioStyle, lookStyle(view.look)];
  const { title, description, avatar } = view;
  const canBeShared = view.blocks.some(({ shared }) => shared !== undefined);
  const head = html`<link rel="canonical" href="${address}">
${avatar === undefined ? brandIcon(texts.brand) : html`<link rel="icon" href="${avatar}">`}
${
  description && html`<meta name="description" content="${firstLine(description)}">\n`
}<meta property="og:type" content="profile">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${address}">
${description && html`<meta property="og:description" content="${firstLine(description)}">\n`}${
  avatar !== undefined && html`<meta property="og:image" content="${base}${avatar}">\n`
}<meta name="twitter:card" content="summary">`;
  const body = html`<main>
${header(view)}${inGroups(view.blocks, (block) => drawn(block, texts, path))}</main>${canBeShared && copyElement}`;
  return {
    status: 200,
    policy: policy(
      styles,
      { hasForm: view.blocks.some(({ type }) => type === 'contact'), hasScript: canBeShared },
      isShared,
    ),
    body: document(texts, title, styles, head, body),
  };
}

/** The page of a draft: a single document without working links, which loads only the font. */
export function bioDraft(view: BioView, texts: PageTexts, focus: number | undefined): string {
  const draw = (block: ShownBlock) => {
    const shape = drawn(block, texts, '/');
    return block.id === focus ? html`<div class="here">${shape}</div>\n` : shape;
  };
  const blocks = inGroups(view.blocks, draw, focus);
  const styles = [bioStyle, lookStyle(view.look)];
  return document(
    texts,
    view.title,
    styles,
    html``,
    html`<main inert>
${header(view)}${blocks}</main>`,
  );
}

function document(
  texts: PageTexts,
  title: string,
  styles: readonly string[],
  head: Markup,
  body: Markup,
): string {
  return html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
${styles.map((style) => html`<style>${{ markup: style }}</style>\n`)}</head>
<body>
${body}
</body>
</html>
`.markup;
}

/**
 * On a host that also answers /admin the page is sandboxed without `allow-same-origin` (decision 0033). Without
 * the last permission a sandboxed page may not open the mail program.
 */
function policy(
  styles: readonly string[],
  { hasForm, hasScript }: { hasForm: boolean; hasScript: boolean },
  isShared: boolean,
): string {
  const rules = [
    "default-src 'none'",
    `style-src ${styles.map(hashOf).join(' ')}`,
    "font-src 'self'",
    ...(hasScript ? [`script-src ${hashOf(copyScript)}`] : []),
    "img-src 'self'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  if (isShared) {
    const forms = hasForm ? ' allow-forms' : '';
    // With an opaque origin the script can reach nothing but the page.
    const scripts = hasScript ? ' allow-scripts' : '';
    rules.push(`sandbox allow-downloads allow-top-navigation-to-custom-protocols${forms}${scripts}`);
  }
  return rules.join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Blocks, with those below a heading grouped under it or collapsed behind it. */
function inGroups(
  blocks: readonly ShownBlock[],
  draw: (block: ShownBlock) => Markup,
  focus?: number,
): Markup[] {
  const parts: Markup[] = [];
  for (let at = 0; at < blocks.length; ) {
    const block = blocks[at] as ShownBlock;
    const inside = membersOf(blocks, at);
    if (block.type !== 'heading' || inside.length === 0) {
      parts.push(draw(block));
      at += 1;
      continue;
    }
    const members = inside.map(draw);
    if (block.group === 'together') {
      parts.push(html`<section class="group">\n${draw(block)}${members}</section>\n`);
    } else {
      const isOpen = block.group === 'open' || [block, ...inside].some(({ id }) => id === focus);
      parts.push(
        html`<details class="group fold"${isOpen && html` open`}>\n<summary>${draw(block)}</summary>\n${members}</details>\n`,
      );
    }
    at += 1 + inside.length;
  }
  return parts;
}

/** The blocks that belong to a heading: up to the next heading or divider. */
function membersOf(blocks: readonly ShownBlock[], at: number): readonly ShownBlock[] {
  const heading = blocks[at];
  if (heading?.type !== 'heading' || !heading.group) return [];
  const after = blocks.slice(at + 1);
  const end = after.findIndex(({ type }) => type === 'heading' || type === 'divider');
  return end < 0 ? after : after.slice(0, end);
}

function header({ avatar, title, description }: BioView): Markup {
  return html`<header>
${avatar !== undefined && html`<img class="avatar" src="${avatar}" width="96" height="96" alt="">\n`}<h1 dir="auto">${title}</h1>
${description && html`<p dir="auto">${description}</p>\n`}</header>
`;
}

function drawn(block: ShownBlock, texts: PageTexts, path: string): Markup {
  return sharable(block, texts, shapeOf(block, texts, path));
}

function shapeOf(block: ShownBlock, texts: PageTexts, path: string): Markup {
  switch (block.type) {
    case 'link': {
      const { title, description, src, highlight, href } = block;
      const isPlain = !src && !description;
      const classes = `card${isPlain ? ' plain' : ''}${highlight ? ' strong' : ''}`;
      return anchor(
        classes,
        href,
        html`${src !== undefined && html`<img src="${src}" width="44" height="44" alt="">`}<span dir="auto"><b>${title}</b>${description && html`<small>${description}</small>`}</span>`,
      );
    }
    case 'heading':
      return html`<h2 dir="auto">${block.text}</h2>\n`;
    case 'text':
      return html`<p class="text" dir="auto">${block.text}</p>\n`;
    case 'image': {
      const { src, alt, url, href } = block;
      if (!url) return html`<img class="picture" src="${src}" alt="${alt ?? ''}">\n`;
      // A link needs an accessible name: without alt text it is named after its destination.
      return anchor('picture', href, html`<img class="picture" src="${src}" alt="${alt || hostOf(url)}">`);
    }
    case 'divider':
      return html`<hr>\n`;
    case 'socials':
      return html`<ul>
${block.items.map(({ network }, index) => {
  const href = block.hrefs?.[index];
  return html`<li><a${attribute('href', href)} rel="nofollow noreferrer me" aria-label="${socialNetworks[network]}">${socialIcon(network)}</a></li>\n`;
})}</ul>
`;
    case 'vcard': {
      const { name, role, organization, href } = block;
      const about = [role, organization].filter(Boolean).join(' · ');
      return anchor(
        'card',
        href,
        html`${signs.person}<span><b dir="auto">${name}</b>${about !== '' && html`<small dir="auto">${about}</small>`}<small>${texts.bio.saveContact}</small></span>`,
      );
    }
    case 'video': {
      const { title, src, href } = block;
      const words = html`<span><b dir="auto">${title}</b><small>${texts.bio.watch} · ${hostOf(block.url)}</small></span>`;
      return src === undefined
        ? anchor('card', href, html`${signs.play}${words}`)
        : anchor('card wide', href, html`<img src="${src}" alt="">${words}`);
    }
    case 'file': {
      const { title, found, href } = block;
      const facts = html`<small>${texts.bio.download} · ${sizeText(found?.size ?? 0, texts)}</small>`;
      return anchor(
        'card',
        href,
        html`${signs.file}<span><b dir="auto">${title || found?.name}</b>${facts}</span>`,
      );
    }
    case 'contact':
      return contactForm(block, texts, path);
  }
}

function contactForm(
  { id, title, button, href }: Extract<ShownBlock, { type: 'contact' }>,
  { bio: texts }: PageTexts,
  path: string,
): Markup {
  const name = `b${id}`;
  return html`<details>
<summary class="card plain"><span dir="auto"><b>${title}</b></span></summary>
<form method="post"${attribute('action', href)}>
<input type="hidden" name="back" value="${path}">
<label for="${name}-name">${texts.name}</label>
<input id="${name}-name" name="name" autocomplete="name" maxlength="120" required>
<label for="${name}-email">${texts.email}</label>
<input id="${name}-email" name="email" type="email" autocomplete="email" maxlength="254" required>
<label for="${name}-message">${texts.message}</label>
<textarea id="${name}-message" name="message" maxlength="4000" required></textarea>
<div class="trap" aria-hidden="true"><input name="website" aria-label="Website" tabindex="-1" autocomplete="off"></div>
<button class="card plain strong" type="submit"><span>${button || texts.send}</span></button>
</form>
</details>
`;
}

function anchor(classes: string, href: string | undefined, content: Markup): Markup {
  return html`<a class="${classes}"${attribute('href', href)} rel="nofollow noreferrer">${content}</a>\n`;
}

function attribute(name: 'href' | 'action', value: string | undefined): Markup {
  return value === undefined ? html`` : html` ${{ markup: name }}="${value}"`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
