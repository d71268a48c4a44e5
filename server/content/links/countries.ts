import { composed } from '../../contract/composed.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Common spellings besides the English names in the Unicode locale data. */
const otherNames: Record<string, string> = {
  'united states of america': 'US',
  usa: 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  'russian federation': 'RU',
  'south korea': 'KR',
  'korea, republic of': 'KR',
  'north korea': 'KP',
  'czech republic': 'CZ',
  turkey: 'TR',
  türkiye: 'TR',
  vietnam: 'VN',
  'viet nam': 'VN',
  macedonia: 'MK',
  burma: 'MM',
  'ivory coast': 'CI',
  'cape verde': 'CV',
  swaziland: 'SZ',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  palestine: 'PS',
  'congo, democratic republic of the': 'CD',
  congo: 'CG',
};

const codeByName = buildIndex();

/** The ISO 3166 code of an English country name or a code, in any case; undefined when there is no such country. */
export function countryCode(text: string): string | undefined {
  const wanted = composed(text).trim().toLowerCase();
  return codeByName.get(wanted);
}

/** The lower-case English name of a code, as the contract's `location` shows it. */
export function countryName(code: string): string {
  return (names.of(code) ?? code).toLowerCase();
}

function buildIndex(): Map<string, string> {
  const index = new Map<string, string>(Object.entries(otherNames));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = isCountry(code) ? names.of(code) : undefined;
      if (name === undefined) continue;
      index.set(code.toLowerCase(), code);
      index.set(name.toLowerCase(), code);
    }
  }
  return index;
}

/** Leaves out the codes of groups of countries, and those that the locale data keeps for the past. */
function isCountry(code: string): boolean {
  const groupsAndPast = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];
  if (groupsAndPast.includes(code)) return false;
  return new Intl.Locale(`und-${code}`).region === code && names.of(code) !== undefined;
}
