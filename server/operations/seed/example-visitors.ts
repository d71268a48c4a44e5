import type { Geolocation } from '../../visits/redirects/geolocation.ts';
import type { Draws } from './random.ts';

/** ISO code → [share of visitors, hours ahead of UTC, Accept-Language]. */
const countries: Record<string, readonly [weight: number, offset: number, language: string]> = {
  DE: [24, 1, 'de-DE,de;q=0.9,en;q=0.7'],
  US: [18, -6, 'en-US,en;q=0.9'],
  GB: [9, 0, 'en-GB,en;q=0.9'],
  FR: [7, 1, 'fr-FR,fr;q=0.9,en;q=0.6'],
  AT: [5, 1, 'de-AT,de;q=0.9'],
  CH: [4, 1, 'de-CH,de;q=0.9,fr;q=0.7'],
  NL: [4, 1, 'nl-NL,nl;q=0.9,en;q=0.8'],
  IN: [4, 5.5, 'en-IN,en;q=0.9,hi;q=0.8'],
  ES: [3, 1, 'es-ES,es;q=0.9'],
  IT: [3, 1, 'it-IT,it;q=0.9'],
  PL: [3, 1, 'pl-PL,pl;q=0.9,en;q=0.7'],
  BR: [3, -3, 'pt-BR,pt;q=0.9'],
  CA: [3, -5, 'en-CA,en;q=0.9,fr-CA;q=0.7'],
  SE: [2, 1, 'sv-SE,sv;q=0.9,en;q=0.8'],
  NO: [2, 1, 'nb-NO,nb;q=0.9,en;q=0.8'],
  AU: [2, 10, 'en-AU,en;q=0.9'],
  JP: [2, 9, 'ja-JP,ja;q=0.9'],
  PT: [1, 0, 'pt-PT,pt;q=0.9'],
  MX: [1, -6, 'es-MX,es;q=0.9'],
  ZA: [1, 2, 'en-ZA,en;q=0.9'],
  KR: [1, 9, 'ko-KR,ko;q=0.9'],
  TR: [1, 3, 'tr-TR,tr;q=0.9'],
};

const agents: readonly (readonly [string, number])[] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    22,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    21,
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    17,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    9,
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    7,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    8,
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 5],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    5,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 2],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    3,
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
    1,
  ],
];

const bots: readonly (readonly [string, number])[] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 4],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 3],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 3],
  ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', 2],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 2],
];

export const exampleReferrers: readonly (readonly [string, number])[] = [
  ['', 44],
  ['https://www.google.com/', 14],
  ['https://www.linkedin.com/feed/', 8],
  ['https://l.instagram.com/', 8],
  ['https://l.facebook.com/', 6],
  ['https://t.co/', 4],
  ['https://www.reddit.com/r/Coffee/', 3],
  ['https://mail.google.com/', 3],
  ['https://news.ycombinator.com/', 2],
  ['https://www.harbour-books.example/reading-list', 3],
  ['https://duckduckgo.com/', 2],
  ['https://www.youtube.com/', 2],
  ['https://bsky.app/', 1],
];

export interface ExampleVisitor {
  address: string;
  userAgent: string;
  acceptLanguage: string;
  /** Hours ahead of UTC. */
  offset: number;
}

/** Visitors with addresses of the countries they are from, a few of them bots. */
export function exampleVisitors(size: number, random: Draws, places: Geolocation): ExampleVisitor[] {
  const addresses = addressesByCountry(random, places);
  const weights = Object.entries(countries).map(([code, [weight]]) => [code, weight] as const);
  return Array.from({ length: size }, () => {
    const code = random.weighted(weights);
    const [, offset, acceptLanguage] = countries[code] ?? [1, 0, 'en'];
    const [base = '203.0.113.7'] = [random.pick(addresses.get(code) ?? ['203.0.113.7'])];
    const isBot = random.next() < 0.03;
    return {
      // Another machine of the same network, which is in the same country.
      address: base.replace(/\d+$/, String(random.below(250) + 1)),
      userAgent: random.weighted(isBot ? bots : agents),
      acceptLanguage: isBot ? '' : acceptLanguage,
      offset,
    };
  });
}

function addressesByCountry(random: Draws, places: Geolocation): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let tries = 0; tries < 60_000; tries += 1) {
    const address = [random.below(222) + 1, random.below(256), random.below(256), 10].join('.');
    const { country } = places.find(address);
    if (!(country in countries)) continue;
    const known = found.get(country) ?? [];
    if (known.length < 400) known.push(address);
    found.set(country, known);
  }
  return found;
}
