import type { NewClick, Referrer, UtmCodes, VisitorCodes } from './click.ts';
import type { Dictionary } from './dictionary.ts';
import { rareColumns } from './dimensions.ts';
import type { ClickValue } from './queries.ts';

/** Adds the values of a click's columns in insert order; returns its rare dimensions, if any. */
export function appendValues(
  values: ClickValue[],
  id: number,
  click: NewClick,
  dictionary: Dictionary,
): UtmCodes['rare'] {
  const { visitor, referrer, utm } = click;
  // Shared with other clicks of the same visitor, referrer and UTM values, so that each is interned once.
  const who = visitor.codes ?? visitorCodes(click, dictionary);
  const from = referrer.codes ?? referrerCodes(click, dictionary);
  const tags = utm.codes ?? utmCodes(click, dictionary);
  values.push(
    id,
    click.linkId,
    click.at,
    visitor.hash,
    click.source,
    click.rule,
    visitor.bot ? 1 : 0,
    who.country,
    who.region,
    who.city,
    from.host,
    from.path,
    who.browser,
    who.os,
    who.device,
    who.language,
    tags.source,
    tags.medium,
    tags.campaign,
    click.address,
  );
  return tags.rare;
}

// Ids are cached only if every text has one: a text above this minute's limit is tried again.

function visitorCodes({ visitor, linkId }: NewClick, dictionary: Dictionary): VisitorCodes {
  const code = (text: string) => dictionary.code(text, 'visitor', { linkId, address: visitor.address });
  const codes = {
    country: code(visitor.country),
    region: code(visitor.region),
    city: code(visitor.city),
    browser: code(visitor.browser),
    os: code(visitor.os),
    device: code(visitor.device),
    language: code(visitor.language),
  };
  if (hasAll(visitor, codes)) visitor.codes = codes;
  return codes;
}

function referrerCodes(
  { visitor: { address }, linkId, referrer }: NewClick,
  dictionary: Dictionary,
): NonNullable<Referrer['codes']> {
  const codes = {
    host: dictionary.code(referrer.host, 'referrer', { linkId, address }),
    path: dictionary.code(referrer.path, 'path', { linkId, address }),
  };
  if (hasAll(referrer, codes)) referrer.codes = codes;
  return codes;
}

function utmCodes({ visitor: { address }, linkId, utm }: NewClick, dictionary: Dictionary): UtmCodes {
  const { term, content, own } = utm;
  const texts = term === '' && content === '' && own.length === 0 ? [] : rareTexts(term, content, own);
  const rare = texts.map((text, place) =>
    dictionary.code(text, place < rareUtmCount ? 'utm' : 'parameter', { linkId, address }),
  );
  const columns = {
    source: dictionary.code(utm.source, 'utm', { linkId, address }),
    medium: dictionary.code(utm.medium, 'utm', { linkId, address }),
    campaign: dictionary.code(utm.campaign, 'utm', { linkId, address }),
  };
  const codes = { ...columns, rare: rare.some((code) => code !== 0) ? rare : undefined };
  if (hasAll(utm, columns) && rare.every((code, place) => code !== 0 || texts[place] === ''))
    utm.codes = codes;
  return codes;
}

/** How many of the rare dimensions are UTM values. */
const rareUtmCount = 2;

/** In the order of `rareColumns`. */
function rareTexts(term: string, content: string, own: readonly string[]): string[] {
  return rareColumns.map((_, place) => [term, content, ...own][place] ?? '');
}

/** Whether every non-empty text has an id. */
function hasAll<Name extends string>(
  texts: Record<NoInfer<Name>, string>,
  codes: Record<Name, number>,
): boolean {
  return (Object.keys(codes) as Name[]).every((name) => codes[name] !== 0 || texts[name] === '');
}
