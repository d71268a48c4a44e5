/** The five UTM parameters. */
export const utmFields = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmField = (typeof utmFields)[number];
export type Utm = Record<UtmField, string>;
export const noUtm: Utm = { source: '', medium: '', campaign: '', term: '', content: '' };

/** A URL's UTM parameters; '' for missing ones. */
export function readUtm(address: string): Utm {
  const parts = splitAddress(address).query.split('&');
  const markOf = (field: UtmField) => {
    const part = parts.find((each) => decoded(each.split('=')[0] ?? '') === `utm_${field}`) ?? '';
    return decoded(part.split('=').slice(1).join('='));
  };
  return Object.fromEntries(utmFields.map((field) => [field, markOf(field)])) as Utm;
}

/**
 * Replaces a URL's UTM parameters; '' removes one. The rest of the URL is kept verbatim, because some sites depend on
 * its exact spelling.
 */
export function writeUtm(address: string, utm: Utm): string {
  const { path, query, fragment } = splitAddress(address);
  const others = query.split('&').filter((part) => part !== '' && !isMark(part));
  const written = utmFields
    .filter((field) => utm[field] !== '')
    .map((field) => `utm_${field}=${encodeURIComponent(utm[field])}`);
  const parts = [...others, ...written];
  return path + (parts.length > 0 ? `?${parts.join('&')}` : '') + fragment;
}

/** Decodes a form-encoded name or value; malformed ones are returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Malformed percent encoding.
    return text;
  }
}

function splitAddress(address: string): { path: string; query: string; fragment: string } {
  const [beforeFragment = '', ...fragments] = address.split('#');
  const [path = '', ...queries] = beforeFragment.split('?');
  return {
    path,
    query: queries.join('?'),
    fragment: fragments.length > 0 ? `#${fragments.join('#')}` : '',
  };
}

function isMark(part: string): boolean {
  const name = part.split('=')[0] ?? '';
  return utmFields.some((field) => name.toLowerCase() === `utm_${field}`);
}
