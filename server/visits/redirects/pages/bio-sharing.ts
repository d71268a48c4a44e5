import { socialNetworks } from '../../../contract/bio-blocks.ts';
import { html, type Markup } from '../../../platform/text/markup.ts';
import type { ShownBlock } from './bio-blocks.ts';
import { signs } from './bio-signs.ts';
import type { PageTexts } from './page-texts.ts';

/**
 * Copies a URL on click. The clipboard API needs HTTPS and an origin; without them, the selected text is copied as
 * by the keyboard.
 */
export const copyScript = `
for (const button of document.querySelectorAll('button[data-done]')) button.addEventListener('click', async () => {
  const field = button.previousElementSibling;
  field.select();
  let done = true;
  try { await navigator.clipboard.writeText(field.value); } catch { done = document.execCommand('copy'); }
  if (done) button.firstElementChild.textContent = button.dataset.done;
});
`;
/** The inline script of a page. */
export const copyElement: Markup = { markup: `\n<script>${copyScript}</script>` };

/** A block that can be shared, with a disclosure for its URL and QR code, or those of its profiles. */
export function sharable(block: ShownBlock, { bio: texts }: PageTexts, content: Markup): Markup {
  const { shared } = block;
  if (!shared) return content;
  const names =
    block.type === 'socials' ? block.items.map(({ network }) => socialNetworks[network]) : [nameOf(block)];
  return html`<div class="shared">
${content}<details class="share">
<summary aria-label="${texts.share}: ${names.join(', ')}">${signs.share}</summary>
${shared.map(({ address, code }, index) => {
  const name = names[index] ?? '';
  return html`<div>
${shared.length > 1 && html`<b>${name}</b>\n`}<img src="${code}" width="176" height="176" loading="lazy" alt="${name ? `${texts.code}: ${name}` : texts.code}">
<input value="${address}" aria-label="${name}" dir="ltr" readonly>
<button class="card plain" type="button" data-done="${texts.copied}"><span>${texts.copy}</span></button>
</div>
`;
})}</details>
</div>
`;
}

/** The name of a block that can be shared. */
function nameOf(block: ShownBlock): string {
  switch (block.type) {
    case 'vcard':
      return block.name;
    case 'image':
      return block.alt || hostOf(block.url ?? '');
    default:
      return ('title' in block && block.title) || (block.found?.name ?? '');
  }
}

/** The host of a URL, for display. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url;
}
