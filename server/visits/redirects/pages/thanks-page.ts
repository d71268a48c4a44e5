import { html } from '../../../platform/text/markup.ts';
import { aliasPath } from '../short-url.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';

const policy = contentPolicy();

/** The page after the form of an overlay; `alias` is the link to return to, '' if none. */
export function thanksPage(texts: PageTexts, taken: boolean, alias: string): Page {
  const { title, text } = taken ? texts.thanks.taken : texts.thanks.refused;
  const way =
    alias !== '' && html`<a class="action" href="/${aliasPath(alias)}?notrack">${texts.thanks.back}</a>`;
  return { status: taken ? 200 : 400, policy, body: page(texts, title, html`<p>${text}</p>${way}`) };
}
