import { filled, html } from '../../../platform/text/markup.ts';
import type { LinkRecord } from '../link-record.ts';
import type { Preview } from '../preview.ts';
import { aliasPath } from '../short-url.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';

/** A page with its status and the policy it needs. */
export interface Page {
  status: number;
  body: string;
  policy: string;
  headers?: readonly string[];
}

type Message = keyof {
  [Name in keyof PageTexts as PageTexts[Name] extends { title: string; text: string }
    ? Name
    : never]: unknown;
};

const plainPolicy = contentPolicy();
const formPolicy = contentPolicy({ form: true });
const cardPolicy = contentPolicy({ images: true });

/** Pages shown instead of a redirect. */
const deadEnds: readonly Message[] = ['notFound', 'gone', 'expired', 'early'];

/** A page with a message; if a visit ends there, it links to the domain's own page, if the owner has set one. */
export function messagePage(
  texts: PageTexts,
  message: Message,
  status: number,
  headers: string[] = [],
): Page {
  const { title, text } = texts[message];
  const { brand } = texts;
  const way =
    brand?.hasRoot &&
    deadEnds.includes(message) &&
    html`<a class="action" href="/">${filled(texts.wayOn, { host: html`<bdi>${brand.name}</bdi>` })}</a>`;
  return { status, policy: plainPolicy, headers, body: page(texts, title, html`<p>${text}</p>${way}`) };
}

/** The page for a method that a URL does not support. */
export function wrongMethodPage(texts: PageTexts, allowed = 'GET, HEAD'): Page {
  return messagePage(texts, 'badMethod', 405, ['Allow', allowed]);
}

/** The page of a bare domain; `signIn` on the instance's own host only. */
export function landingPage(texts: PageTexts, signIn: boolean): Page {
  const { title, text, signIn: label } = texts.landing;
  const way = signIn && html`<p><a class="quiet" href="/admin/">${label}</a></p>`;
  return { status: 200, policy: plainPolicy, body: page(texts, title, html`<p>${text}</p>${way}`) };
}

/** The form for a link's password. It is sent to the URL of the page itself. */
export function passwordPage(texts: PageTexts, problem?: 'wrong' | 'tooMany'): Page {
  const { title, text, label, submit } = texts.password;
  const note = problem && html`<p class="wrong" id="problem" role="alert">${texts.password[problem]}</p>`;
  const described = problem && html` aria-invalid="true" aria-describedby="problem"`;
  const form = html`<p>${text}</p>
<form method="post">
<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="1024" required${described}>
${note}
<button class="action" type="submit">${submit}</button>
</form>`;
  const status = problem === 'tooMany' ? 429 : problem === 'wrong' ? 403 : 200;
  return { status, policy: formPolicy, body: page(texts, title, form) };
}

/**
 * The message after a rejected password; `secondsLeft` is the time until the next attempt.
 */
export function passwordProblemPage(
  texts: PageTexts,
  problem: 'wrong' | 'blocked' | 'busy' | 'tooLarge',
  secondsLeft: number,
): Page {
  switch (problem) {
    case 'wrong':
      return passwordPage(texts, 'wrong');
    case 'blocked':
      return { ...passwordPage(texts, 'tooMany'), headers: ['Retry-After', String(secondsLeft)] };
    case 'tooLarge':
      return messagePage(texts, 'tooLarge', 413);
    case 'busy':
      return messagePage(texts, 'unavailable', 503, ['Retry-After', '5']);
  }
}

/** The preview of a link (`/alias+`). The button follows the link, which counts the click. */
export function previewPage(texts: PageTexts, link: LinkRecord, preview: Preview): Page {
  const { title, text, destination, hidden, depends, go } = texts.preview;
  const shown = preview.destination ?? hidden;
  const body = html`${link.title !== null && html`<p><bdi>${link.title}</bdi></p>`}
<dl><dt>${destination}</dt><dd><bdi>${shown}</bdi></dd></dl>
${preview.varies && html`<p>${depends}</p>`}
<p>${text}</p>
<a class="action" rel="nofollow noreferrer" href="/${aliasPath(link.alias)}">${go}</a>`;
  return { status: 200, policy: plainPolicy, body: page(texts, title, body) };
}

/** The page for preview fetchers: the owner's title, text and picture, without the destination. */
export function cardPage(texts: PageTexts, link: LinkRecord): Page {
  const title = link.meta?.title || texts.card.title;
  const description = link.meta?.description ?? '';
  const image = link.meta?.image ?? '';
  const head = html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
${image !== '' && html`<meta property="og:image" content="${image}">`}
<meta name="twitter:card" content="${image === '' ? 'summary' : 'summary_large_image'}">
`;
  const picture = image !== '' && html`<img src="${image}" alt="">`;
  const body = html`${picture}<p><bdi>${description}</bdi></p>
<a class="action" rel="nofollow" href="/${aliasPath(link.alias)}">${texts.card.go}</a>`;
  return { status: 200, policy: cardPolicy, body: page(texts, title, body, head) };
}
