import { mostSuggestions } from '../../contract/aliases.ts';
import { stacksMarks } from '../../contract/composed.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { canBeAlias } from './aliases.ts';

const longest = 40;
const shortest = 3;
/** Words of an address or a title that say nothing of it, in the languages of the app. */
const empty = new Set(
  'a an the and or of to in on at for with by from is your you our how what why www com org net html htm php asp aspx index home page default en de fr es pt ar der die das und ein eine für mit von zu im am le la les un une des et du de au aux pour avec el los las y con por para o os as e um uma com do da'.split(
    ' ',
  ),
);

/** Sources of alias suggestions. */
interface Source {
  /** In the form that is stored. */
  url: string;
  title: string | null | undefined;
}

/**
 * Suggests free aliases from a title and a URL, the most descriptive first. `draw` always returns a free one. No
 * requests are sent.
 */
export function suggestions(
  { url, title }: Source,
  isTaken: (alias: string) => boolean,
  draw: () => string,
): string[] {
  const found = new Set<string>();
  const isFree = (alias: string) => canBeAlias(alias) && !isTaken(alias);
  for (const words of candidates(new URL(url), title ?? '')) {
    const alias = joined(words);
    if (alias === undefined) continue;
    const free = [alias, `${alias}-2`, `${alias}-3`].find(isFree);
    if (free !== undefined) found.add(free);
    if (found.size === mostSuggestions - 1) break;
  }
  while (found.size < 3) found.add(draw());
  return [...found];
}

function candidates(url: URL, title: string): string[][] {
  const named = wordsOf(title);
  const segments = url.pathname.split('/').map(decoded).map(withoutExtension).map(wordsOf);
  const parts = segments.filter((words) => words.length > 0);
  const last = parts.at(-1) ?? [];
  const labels = url.hostname.replace(/^www\./, '').split('.');
  const site = /^[\d.]+$|^\[/.test(url.hostname) ? [] : wordsOf(labels.at(-2) ?? labels[0] ?? '');
  return [
    named.slice(0, 3),
    named.slice(0, 2),
    last.slice(0, 3),
    [...site, ...(named.length > 0 ? named.slice(0, 1) : last.slice(0, 1))],
    [...(parts.at(-2) ?? []).slice(0, 1), ...last.slice(0, 1)],
    initialsOf(named),
    site,
  ];
}

/** Small letters of any script and the digits that aliases may have, without accents of Latin letters. */
function wordsOf(text: string): string[] {
  if (stacksMarks(text)) return [];
  const plain = caseFold(text)
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
  const words = plain.match(/[\p{L}0-9][\p{L}\p{M}0-9]*/gu) ?? [];
  return words.filter((word) => !empty.has(word));
}

function initialsOf(words: readonly string[]): string[] {
  return words.length < shortest ? [] : [words.map((word) => [...word][0]).join('')];
}

/** The words with dashes, as many as fit; undefined where that says too little. */
function joined(words: readonly string[]): string | undefined {
  let alias = '';
  for (const word of words) {
    const next = alias === '' ? word : `${alias}-${word}`;
    if ([...next].length > longest) break;
    alias = next;
  }
  return [...alias].length < shortest ? undefined : alias;
}

function withoutExtension(segment: string): string {
  return segment.replace(/\.[a-z0-9]{1,5}$/i, '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Malformed percent encoding has no words in it.
    return '';
  }
}
