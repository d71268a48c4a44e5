/** Continent codes used by GeoIP databases, mapped to the codes in the Unicode locale data. */
const unicodeCodes = {
  AF: '002',
  AN: 'AQ',
  AS: '142',
  EU: '150',
  NA: '003',
  OC: '009',
  SA: '005',
} as const;
export type Continent = keyof typeof unicodeCodes;
export const continents = Object.keys(unicodeCodes) as Continent[];

/** ISO 3166-1 codes of each continent's countries, according to GeoNames. */
const countries: Readonly<Record<Continent, string>> = {
  AF: 'DZ AO BJ BW BF BI CV CM CF TD KM CG CD CI DJ EG GQ ER SZ ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU YT MA MZ NA NE NG RE RW SH ST SN SC SL SO ZA SS SD TZ TG TN UG EH ZM ZW',
  AN: 'AQ BV TF HM GS',
  AS: 'AF AM AZ BH BD BT BN KH CN CY GE HK IN ID IR IQ IL JP JO KZ KW KG LA LB MO MY MV MN MM NP KP OM PK PS PH QA SA SG KR LK SY TW TJ TH TL TR TM AE UZ VN YE IO CC CX',
  EU: 'AL AD AT BY BE BA BG HR CZ DK EE FO FI FR DE GI GR GG VA HU IS IE IM IT JE XK LV LI LT LU MT MD MC ME NL MK NO PL PT RO RU SM RS SK SI ES SJ SE CH UA GB AX',
  NA: 'AI AG AW BS BB BZ BM BQ VG CA KY CR CU CW DM DO SV GL GD GP GT HT HN JM MQ MX MS NI PA PR BL KN LC MF PM VC SX TT TC US VI',
  OC: 'AS AU CK FJ PF GU KI MH FM NR NC NZ NU NF MP PW PG PN WS SB TK TO TV UM VU WF',
  SA: 'AR BO BR CL CO EC FK GF GY PY PE SR UY VE',
};

const byCountry = new Map(
  continents.flatMap((continent) =>
    countries[continent].split(' ').map((country) => [country, continent] as const),
  ),
);

/** The continent of a country; '' if unknown. */
export function continentOf(country: string): Continent | '' {
  return byCountry.get(country) ?? '';
}

/** ISO codes of a continent's countries; empty for an unknown code. */
export function countriesOf(continent: string): readonly string[] {
  return Object.hasOwn(countries, continent) ? countries[continent as Continent].split(' ') : [];
}

/** The localized name of a continent; an unknown code is returned unchanged. */
export function continentName(continent: string, locale: string): string {
  if (!Object.hasOwn(unicodeCodes, continent)) return continent;
  return (
    new Intl.DisplayNames([locale], { type: 'region' }).of(unicodeCodes[continent as Continent]) ?? continent
  );
}
