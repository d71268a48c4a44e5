import { filled, html, type Markup } from '../text/markup.ts';
import { arabic } from './languages/arabic.ts';
import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import type { LetterKind, LetterTexts } from './letter-texts.ts';

/** A time that is written as the reader's language writes it: in this time zone, or without one only its day. */
export interface Moment {
  /** Unix milliseconds. */
  at: number;
  timezone?: string;
}

/** A message before it is rendered in a language. */
export interface Letter {
  kind: LetterKind;
  /** The values of `{name}` in its texts; a list has one line each. */
  values: Readonly<Record<string, string | readonly string[] | Moment>>;
  /** The target of its button; without it there is none. */
  url?: string | undefined;
  /** The reader's languages as lower-case tags, most preferred first. */
  languages: readonly string[];
  /** Whether an account can turn off such messages. */
  isOptional?: boolean;
}

interface Written {
  subject: string;
  text: string;
  html: string;
}

/** All languages of messages, by tag. */
export const letterCatalogue: Readonly<Record<string, LetterTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ar: arabic,
};

/** The maximum length of a name in a message: longer ones are truncated. */
const mostOfName = 200;

const lineBreak = html`<br>`;

/** Renders a message in a language of its reader, as plain text and as equivalent simple HTML. */
export function write({ kind, url, languages, isOptional, ...letter }: Letter, host: string): Written {
  const texts = textsFor(languages);
  const { subject, text: paragraphs, action, note } = texts[kind];
  const values: Record<string, string> = { host };
  const markup: Record<string, Markup> = { host: html`${host}` };
  for (const [name, value] of Object.entries(letter.values)) {
    const lines = linesOf(value, texts.language).map(oneLine);
    values[name] = lines.join('\n');
    markup[name] = html`${lines.map((line, index) => html`${index > 0 && lineBreak}${line}`)}`;
  }
  const plain = (text: string) => text.replace(/\{([a-z]+)\}/g, (_place, name: string) => values[name] ?? '');
  const below = [texts.sentBy, ...(isOptional ? [texts.switchOff] : [])];
  const button = action !== undefined && url !== undefined ? { action, url } : undefined;
  const lines = [
    ...paragraphs.map(plain),
    ...(button ? [`${button.action}: ${button.url}`] : []),
    ...(note === undefined ? [] : [plain(note)]),
    `-- \n${below.map(plain).join('\n')}`,
  ];
  const shown = (text: string) => filled(text, markup);
  const body = html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}"><head><meta charset="utf-8"><title>${plain(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#15181e">
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${shown(text)}</p>\n`)}${button && link(button)}${
  note !== undefined && html`<p style="margin:0 0 16px">${shown(note)}</p>\n`
}<p style="margin:24px 0 0;color:#586070;font-size:14px">${below.map((text) => html`${shown(text)} `)}</p>
</body></html>
`;
  return { subject: plain(subject), text: `${lines.join('\n\n')}\n`, html: body.markup };
}

function link({ action, url }: { action: string; url: string }): Markup {
  return html`<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#4f46e5;color:#fff;text-decoration:none">${action}</a></p>
<p style="margin:0 0 16px;color:#586070;font-size:14px;overflow-wrap:anywhere">${url}</p>\n`;
}

function textsFor(languages: readonly string[]): LetterTexts {
  for (const tag of languages) {
    const [base = ''] = tag.split('-', 1);
    if (Object.hasOwn(letterCatalogue, base)) return letterCatalogue[base] as LetterTexts;
  }
  return english;
}

function linesOf(value: string | readonly string[] | Moment, language: string): readonly string[] {
  if (typeof value === 'string') return [value];
  // Not by its `at`, which lists have, too.
  return isList(value) ? value : [momentText(value, language)];
}

/** `Array.isArray` says nothing about lists that are read only. */
function isList(value: readonly string[] | Moment): value is readonly string[] {
  return Array.isArray(value);
}

function momentText({ at, timezone }: Moment, language: string): string {
  if (timezone === undefined)
    return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(at);
  return `${time} (${timezone})`;
}

/** A value as a single line: names must not start a header or a paragraph. */
function oneLine(value: string): string {
  return value
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, 10 * mostOfName)
    .toWellFormed();
}

/**
 * A user-supplied name in messages to others: truncated, and written so that mail clients do not turn it into a link.
 * Otherwise anyone who can invite could send people to any page in the name of the instance.
 */
export function nameForOthers(name: string): string {
  return name.slice(0, mostOfName).replace(/([./:@\\])(?=\S)/g, '$1\u200b');
}
