import { html } from '../../../platform/text/markup.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';

const policy = contentPolicy();

/** The page after the contact form of a bio page, with a link back to it. */
export function bioThanksPage(texts: PageTexts, taken: boolean, back: string): Page {
  const { title, text } = taken ? texts.bio.thanks : texts.bio.refused;
  const body = html`<p>${text}</p><a class="action" href="${back}?notrack">${texts.bio.back}</a>`;
  return { status: taken ? 200 : 400, policy, body: page(texts, title, body) };
}
