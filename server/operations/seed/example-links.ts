import type { LinkRecord } from '../../content/links/queries.ts';
import type { Draws } from './random.ts';

/** Makers of links of one kind: a page's title and address, and the alias that a person would give it. */
interface Theme {
  site: string;
  /** Path with `*` for the topic. */
  paths: readonly string[];
  /** Titles with `*` for the topic. */
  titles: readonly string[];
  topics: readonly string[];
  channel: string;
}

export const exampleChannels = [
  { name: 'Newsletter', color: '#2563EB', starred: true },
  { name: 'Social media', color: '#DB2777', starred: true },
  { name: 'Print', color: '#CA8A04', starred: false },
  { name: 'Partners', color: '#16A34A', starred: false },
  { name: 'Support', color: '#7C3AED', starred: false },
  { name: 'Events', color: '#EA580C', starred: false },
] as const;

export const exampleCampaigns = [
  'Spring launch',
  'Summer sale',
  'Back to school',
  'Conference tour',
  'Winter catalogue',
];

const themes: readonly Theme[] = [
  {
    site: 'https://shop.northwind-coffee.example',
    paths: ['/products/*', '/offers/*', '/collections/*'],
    titles: ['*: fresh from the roaster', 'Save on * this week', 'The * collection'],
    topics: [
      'Espresso',
      'Filter roast',
      'Decaf',
      'Grinder',
      'Cold brew',
      'Gift box',
      'Kettle',
      'Single origin',
      'Starter set',
    ],
    channel: 'Newsletter',
  },
  {
    site: 'https://blog.northwind-coffee.example',
    paths: ['/guides/*', '/stories/*'],
    titles: ['How to choose *', 'What we learned about *', '* for beginners', 'A short history of *'],
    topics: [
      'pour over',
      'milk foam',
      'water quality',
      'coffee farms',
      'latte art',
      'storage',
      'brewing at sea',
      'altitude',
    ],
    channel: 'Social media',
  },
  {
    site: 'https://events.northwind-coffee.example',
    paths: ['/2026/*', '/workshops/*'],
    titles: ['* workshop: save your seat', 'Meet us at *', '* tasting night'],
    topics: [
      'Berlin',
      'Lisbon',
      'Oslo',
      'Vienna',
      'Toronto',
      'Melbourne',
      'Kyoto',
      'Lyon',
      'Porto',
      'Austin',
    ],
    channel: 'Events',
  },
  {
    site: 'https://help.northwind-coffee.example',
    paths: ['/articles/*'],
    titles: ['Help: *', '* explained'],
    topics: [
      'Returns',
      'Shipping times',
      'Descaling',
      'Warranty',
      'Subscriptions',
      'Invoices',
      'Gift cards',
      'Spare parts',
    ],
    channel: 'Support',
  },
  {
    site: 'https://www.harbour-books.example',
    paths: ['/title/*', '/reading-list/*'],
    titles: ['* by our partners', 'Reading list: *'],
    topics: [
      'Slow mornings',
      'The bean atlas',
      'City cafés',
      'Kitchen science',
      'Winter tales',
      'Small harbours',
    ],
    channel: 'Partners',
  },
  {
    site: 'https://menu.northwind-coffee.example',
    paths: ['/cafe/*'],
    titles: ['Menu of our café in *', 'Table cards *'],
    topics: ['Hamburg', 'Leipzig', 'Bergen', 'Ghent', 'Basel', 'Bristol', 'Aarhus', 'Gdańsk'],
    channel: 'Print',
  },
];

const utmPairs = [
  ['newsletter', 'email'],
  ['instagram', 'social'],
  ['linkedin', 'social'],
  ['flyer', 'print'],
  ['partner', 'referral'],
] as const;

export interface ExampleLink {
  /** What is set on the link; everything else is as on a new one. */
  record: Partial<LinkRecord> & Pick<LinkRecord, 'alias' | 'url'>;
  channel: string;
}

/** The n-th example link. `randomAlias` gives the alias where a person would not have chosen one. */
export function exampleLink(
  index: number,
  random: Draws,
  randomAlias: () => string,
  now: number,
): ExampleLink {
  const theme = random.pick(themes);
  const topic = random.pick(theme.topics);
  const slug = topic
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const path = random.pick(theme.paths).replace('*', `${slug}-${index + 1}`);
  const title = random.pick(theme.titles).replace('*', topic);
  const named = random.next() < 0.35;
  const [source, medium] = random.pick(utmPairs);
  const tagged = random.next() < 0.4 ? `?utm_source=${source}&utm_medium=${medium}&utm_campaign=${slug}` : '';
  return {
    channel: theme.channel,
    record: {
      alias: named ? `${slug}-${index + 1}` : randomAlias(),
      url: `${theme.site}${path}${tagged}`,
      title: title.charAt(0).toUpperCase() + title.slice(1),
      note: random.next() < 0.1 ? 'Agreed with the team; change it only together.' : null,
      archived: random.next() < 0.03 ? 1 : 0,
      locked: random.next() < 0.02 ? 1 : 0,
      expires_at: random.next() < 0.04 ? now + (random.below(90) - 30) * 86_400_000 : null,
      forward_query: random.next() < 0.1 ? 1 : 0,
      ...(random.next() < 0.05 && {
        rules: JSON.stringify([
          {
            conditions: [{ type: 'country', op: 'in', value: ['DE', 'AT', 'CH'] }],
            link: `${theme.site}/de${path}`,
          },
        ]),
      }),
    },
  };
}
