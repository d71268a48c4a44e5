import { contentPolicy, page } from '../redirects/pages/layout.ts';
import { html } from '../redirects/pages/markup.ts';
import { messagePage, type Page, passwordPage } from '../redirects/pages/pages.ts';
import { type PageTexts, textsFor } from '../redirects/pages/texts.ts';
import type { FileRow } from './queries.ts';

/** The texts of a file's pages beside those that links have too; one entry a language. */
interface FileTexts extends Pick<PageTexts, 'expired' | 'badMethod' | 'unavailable' | 'password'> {
  download: { title: string; name: string; size: string; hidden: string; go: string };
}

const english: FileTexts = {
  expired: {
    title: 'This file is no longer available',
    text: 'It was only meant for a certain time or number of downloads. Ask the person who sent it to you.',
  },
  badMethod: { title: 'This is a file', text: 'It can only be downloaded, not written to.' },
  unavailable: {
    title: 'One moment, please',
    text: 'This file cannot be downloaded right now. Try again in a minute.',
  },
  password: {
    title: 'This file is protected',
    text: 'Enter the password that came with it. The download starts right away.',
    label: 'Password',
    submit: 'Download the file',
    wrong: 'That password is not right. Try again.',
    tooMany: 'Too many wrong passwords. Wait a while and try again.',
  },
  download: {
    title: 'A file for you',
    name: 'Name',
    size: 'Size',
    hidden: 'Its name and size are shown after the password is entered.',
    go: 'Download the file',
  },
};

const catalogue: Record<string, FileTexts> = { en: english };

/** The texts of all pages, in a file's words where they differ from a link's. */
export type FilePageTexts = PageTexts & FileTexts;

/** The texts in the first of the visitor's languages that there is. */
export function fileTextsFor(languages: readonly string[]): FilePageTexts {
  const texts = textsFor(languages);
  return { ...texts, ...(catalogue[texts.language] ?? english) };
}

// A sandboxed page may start no download unless its policy says so.
const formPolicy = contentPolicy({ form: true, downloads: true });
const downloadPolicy = contentPolicy({ downloads: true });

/** A page that only says something. */
export function fileMessagePage(
  texts: FilePageTexts,
  message: 'expired' | 'badMethod' | 'unavailable' | 'tooLarge' | 'failed',
  status: number,
  headers: string[] = [],
): Page {
  return messagePage(texts, message, status, headers);
}

/** The form that asks for a file's password. */
export function filePasswordPage(texts: FilePageTexts, problem?: 'wrong' | 'tooMany'): Page {
  return { ...passwordPage(texts, problem), policy: formPolicy };
}

/** What a file is, without downloading it (`/alias+`). */
export function fileDownloadPage(texts: FilePageTexts, file: FileRow): Page {
  const { title, name, size, hidden, go } = texts.download;
  const facts =
    file.password_hash === null
      ? html`<dl><dt>${name}</dt><dd dir="auto">${file.filename}</dd><dt>${size}</dt><dd>${sizeText(file.size)}</dd></dl>`
      : html`<p>${hidden}</p>`;
  const body = html`${facts}
<a class="action" rel="nofollow noreferrer" href="/${encodeURIComponent(file.alias)}">${go}</a>`;
  return { status: 200, policy: downloadPolicy, body: page(texts, title, body) };
}

function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
