import { html } from '../../platform/text/markup.ts';
import type { Brand } from '../../visits/redirects/pages/brand.ts';
import { contentPolicy, page } from '../../visits/redirects/pages/layout.ts';
import type { PageTexts } from '../../visits/redirects/pages/page-texts.ts';
import {
  messagePage,
  type Page,
  passwordPage,
  passwordProblemPage,
} from '../../visits/redirects/pages/pages.ts';
import { sizeText } from '../../visits/redirects/pages/size-text.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import type { FileRow } from './queries.ts';

/** The texts of all pages, in a file's words where they differ from a link's. */
export type FilePageTexts = PageTexts & PageTexts['file'];

/** The texts in the first of the visitor's languages that there is, under the brand of the domain. */
export function fileTextsFor(languages: readonly string[], brand?: Brand): FilePageTexts {
  const texts = textsFor(languages, brand);
  return { ...texts, ...texts.file };
}

// A sandboxed page may start no download unless its policy says so.
const formPolicy = contentPolicy({ form: true, downloads: true });
const downloadPolicy = contentPolicy({ downloads: true });

/** A page that only says something. */
export function fileMessagePage(
  texts: FilePageTexts,
  message: 'expired' | 'unavailable' | 'failed',
  status: number,
  headers: string[] = [],
): Page {
  return messagePage(texts, message, status, headers);
}

/** The form that asks for a file's password. */
export function filePasswordPage(texts: FilePageTexts): Page {
  return { ...passwordPage(texts), policy: formPolicy };
}

/** The message after a wrong password. */
export function filePasswordProblemPage(
  texts: FilePageTexts,
  ...why: [problem: Parameters<typeof passwordProblemPage>[1], secondsLeft: number]
): Page {
  return { ...passwordProblemPage(texts, ...why), policy: formPolicy };
}

/** A file's page, without downloading it (`/alias+`). */
export function fileDownloadPage(texts: FilePageTexts, file: FileRow): Page {
  const { title, name, size, hidden, go } = texts.download;
  const facts =
    file.password_hash === null
      ? html`<dl><dt>${name}</dt><dd dir="auto">${file.filename}</dd><dt>${size}</dt><dd>${sizeText(file.size, texts)}</dd></dl>`
      : html`<p>${hidden}</p>`;
  const body = html`${facts}
<a class="action" rel="nofollow noreferrer" href="/${encodeURIComponent(file.alias)}">${go}</a>`;
  return { status: 200, policy: downloadPolicy, body: page(texts, title, body) };
}
