import type { AliasSettings } from '../../contract/aliases.ts';
import { composed } from '../../contract/composed.ts';
import { rejected } from '../../platform/errors.ts';
import { qualityWords, thingWords } from './words.ts';

/**
 * First path segments that the instance needs for itself (decision 0011), of aliases with slashes too (decision 0079).
 */
const reserved = new Set([
  'api',
  'admin',
  'r',
  'u',
  'qr',
  'bio',
  'file',
  'files',
  'avatar',
  'img',
  'assets',
  'static',
  'login',
  'logout',
  'register',
  'invite',
  'setup',
  'settings',
  'health',
  'ca',
  '.well-known',
  'robots.txt',
  'favicon.ico',
  'sitemap.xml',
  'ads.txt',
  'security.txt',
  'apple-app-site-association',
  'apple-touch-icon.png',
  'apple-touch-icon-precomposed.png',
  'manifest.json',
  'manifest.webmanifest',
  'service-worker.js',
  'sw.js',
  'index.html',
  'index.php',
  'wp-admin',
  'wp-login.php',
]);

/** Letters and digits without those that look alike: no 0 O o, no 1 l I i. */
export const lookalikeFree = '23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
export const randomLength = 6;

/**
 * An alias as a person wrote it, in the form that is stored: NFC, 1 to 80 characters of letters, digits and `- _ . ~`
 * (decision 0011), and slashes between such parts where they are allowed. Throws 400 `invalid_alias` or
 * `alias_reserved`.
 */
export function readAlias(text: string, field: string, allowsSlashes = false): string {
  const alias = composed(text).trim();
  if (alias.includes('/') && !allowsSlashes && isPath(alias)) throw slashesNotAllowed(field);
  if (!(allowsSlashes ? isPath(alias) : isAliasText(alias))) {
    throw rejected(
      'invalid_alias',
      field,
      'Use 1 to 80 letters, digits, dashes, underscores, dots or tildes for the alias.',
    );
  }
  if (isReserved(alias)) {
    throw rejected(
      'alias_reserved',
      field,
      `The alias "${alias}" is reserved: the instance uses this address itself. Choose another one.`,
    );
  }
  return alias;
}

/**
 * Whether a text (NFC) is a valid alias; slugs of campaigns have the same format. Some letters are invisible, such as
 * fillers and variation selectors: an alias with them would look like another one, or empty.
 */
export function isAliasText(text: string): boolean {
  const { length } = [...text];
  return (
    length >= 1 &&
    length <= 80 &&
    /^[A-Za-z0-9\-_.~\p{L}\p{M}]+$/u.test(text) &&
    !/^[.\p{M}]+$|\p{Default_Ignorable_Code_Point}/u.test(text)
  );
}

/** Whether a text can be the alias of a link. */
export function canBeAlias(text: string): boolean {
  return isAliasText(text) && !isReserved(text);
}

/** 400: the alias has slashes, and its domain does not take them. */
export function slashesNotAllowed(field: string) {
  const message =
    "This domain does not allow slashes in aliases. Turn them on in the domain's settings, or leave them out.";
  return rejected('invalid_alias', field, message);
}

/** Whether a text has the form of an alias with or without slashes; all of it has the length of one. */
function isPath(text: string): boolean {
  return [...text].length <= 80 && text.split('/').every(isAliasText);
}

/**
 * Whether an alias would hide one of the instance's own addresses, in any case; of one with slashes the first part says
 * it.
 */
function isReserved(alias: string): boolean {
  const [first = '', ...others] = alias.toLowerCase().split('/');
  return reserved.has(first) || (others.length > 0 && (first === 'o' || first === 'stats'));
}

/** A random alias of six characters. `randomInteger(n)` gives 0 to n-1. */
export function randomAlias(
  randomInteger: (below: number) => number,
  length = randomLength,
  alphabet = lookalikeFree,
): string {
  let alias = '';
  for (let index = 0; index < length; index += 1) alias += alphabet[randomInteger(alphabet.length)];
  return alias;
}

/** Generates a free alias according to settings; longer by a character or word after every ten that were taken. */
export type MadeAlias = (settings: AliasSettings, isTaken: (alias: string) => boolean) => string;

export function madeAlias(randomInteger: (below: number) => number): MadeAlias {
  const word = (words: readonly string[]) => words[randomInteger(words.length)] as string;
  return ({ style, length, alphabet, prefix }, isTaken) => {
    for (let attempt = 0; ; attempt += 1) {
      const longer = Math.floor(attempt / 10);
      const drawn =
        style === 'random'
          ? randomAlias(randomInteger, length + longer, alphabet)
          : [word(qualityWords), ...Array.from({ length: 1 + longer }, () => word(thingWords))].join('-');
      const alias = prefix + drawn;
      if (canBeAlias(alias) && !isTaken(alias)) return alias;
    }
  };
}

/** Draws random aliases until one is free. */
export type FreeAlias = (isTaken: (alias: string) => boolean) => string;

/** Draws aliases of six characters, and of one more after each ten that were taken. */
export function freeAlias(randomInteger: (below: number) => number): FreeAlias {
  return (isTaken) => {
    for (let attempt = 0; ; attempt += 1) {
      const alias = randomAlias(randomInteger, randomLength + Math.floor(attempt / 10));
      if (!isTaken(alias)) return alias;
    }
  };
}
