import { randomAlias } from '../../content/links/aliases.ts';
import { emptyRecord, linkQueries } from '../../content/links/queries.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { defaultSettings } from '../../platform/settings/defaults.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { noUtm } from '../../visits/clicks/click.ts';
import { dictionary } from '../../visits/clicks/dictionary.ts';
import { dayMs, sources } from '../../visits/clicks/dimensions.ts';
import { recorder } from '../../visits/clicks/recorder.ts';
import { rollups } from '../../visits/clicks/rollups.ts';
import { visitorHashes } from '../../visits/clicks/visitor-salt.ts';
import { aliasQueries } from '../../visits/redirects/alias-queries.ts';
import { type Geolocation, geolocation } from '../../visits/redirects/geolocation.ts';
import { readUtm } from '../../visits/redirects/referrer.ts';
import { visitors } from '../../visits/redirects/visitors.ts';
import { exampleCampaigns, exampleChannels, exampleLink } from './example-links.ts';
import { exampleTimes } from './example-times.ts';
import { exampleReferrers, exampleVisitors } from './example-visitors.ts';
import { type Draws, draws, zipf } from './random.ts';

interface Options {
  main: Connection;
  clicks: Connection;
  /** The account that the links are for. */
  userId: number;
  /** The moment at which the example ends, UTC milliseconds. */
  now: number;
  links?: number;
  clickCount?: number;
  days?: number;
  seed?: number;
  geolocation?: Geolocation;
}

interface SeededLink {
  id: number;
  createdAt: number;
  utm: string;
}

/**
 * Fills an account with example links and realistic clicks, the same for the same seed and time. The clicks pass
 * through the code that records and counts real ones, with the clock set to their time.
 */
export function seed(options: Options): { links: number; clicks: number } {
  const { main, clicks, userId, now, days = 180 } = options;
  const random = draws(options.seed ?? 1);
  const links = addLinks(main, userId, options.links ?? 500, now, days, random);
  const count = addClicks(
    clicks,
    links,
    options.clickCount ?? 50_000,
    now,
    days,
    random,
    options.geolocation,
  );
  return { links: links.length, clicks: count };
}

function addLinks(
  main: Connection,
  userId: number,
  count: number,
  now: number,
  days: number,
  random: Draws,
): SeededLink[] {
  const queries = linkQueries(main);
  const aliases = aliasQueries(main);
  const addToChannel = main.prepare('INSERT INTO link_channels (channel_id, link_id) VALUES (?, ?)');
  return main
    .transaction(() => {
      const channels = addChannels(main, userId, now - days * dayMs);
      const campaigns = addCampaigns(main, userId, now - days * dayMs);
      const links: SeededLink[] = [];
      for (let index = 0; index < count; index += 1) {
        const { record, channel } = exampleLink(index, random, () => randomAlias(random.below), now);
        // Oldest first, as they would have been created.
        const createdAt = Math.round(now - days * dayMs * (1 - index / count) ** 1.2);
        const holder = aliases.holderOf(null, record.alias);
        const alias = holder ? randomAlias(random.below, 10) : record.alias;
        const campaignId = random.next() < 0.4 ? random.pick(campaigns) : null;
        const id = queries.insert(
          userId,
          { ...emptyRecord, ...record, alias, campaign_id: campaignId },
          createdAt,
        );
        if (!aliases.claim(null, alias, 'link', id)) throw new Error(`the example alias ${alias} is taken`);
        const channelId = channels.get(channel);
        if (channelId !== undefined && random.next() < 0.7) addToChannel.run(channelId, id);
        links.push({ id, createdAt, utm: new URL(record.url).search.slice(1) });
      }
      return links;
    })
    .immediate();
}

/** The ids of the example channels by name; those that the account has already are used. */
function addChannels(main: Connection, userId: number, at: number): Map<string, number> {
  const add = main.prepare(
    `INSERT INTO channels (user_id, name, name_folded, color, starred, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const find = main
    .prepare<[number, string], number>('SELECT id FROM channels WHERE user_id = ? AND name_folded = ?')
    .pluck();
  const ids = new Map<string, number>();
  for (const { name, color, starred } of exampleChannels) {
    add.run(userId, name, caseFold(name), color, starred ? 1 : 0, at);
    const id = find.get(userId, caseFold(name));
    if (id !== undefined) ids.set(name, id);
  }
  return ids;
}

function addCampaigns(main: Connection, userId: number, at: number): number[] {
  const add = main.prepare(
    'INSERT INTO campaigns (user_id, name, name_folded, slug, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const find = main
    .prepare<[number, string], number>('SELECT id FROM campaigns WHERE user_id = ? AND name_folded = ?')
    .pluck();
  return exampleCampaigns.flatMap((name) => {
    add.run(userId, name, caseFold(name), caseFold(name).replaceAll(' ', '-'), at);
    return find.get(userId, caseFold(name)) ?? [];
  });
}

function addClicks(
  clicks: Connection,
  links: readonly SeededLink[],
  count: number,
  now: number,
  days: number,
  random: Draws,
  places: Geolocation = geolocation(),
): number {
  if (count === 0 || links.length === 0) return 0;
  let clock = now;
  const people = visitors({
    hashes: visitorHashes({
      connection: clicks,
      newSalt: () => Buffer.from(Array.from({ length: 32 }, () => random.below(256))),
    }),
    geolocation: places,
    privacy: () => defaultSettings.privacy,
    accountPrivacy: () => 0,
  });
  const log = recorder({
    connection: clicks,
    dictionary: dictionary(clicks, () => clock),
    answer: () => {},
    log: {
      error: (details: unknown) => {
        throw new Error('the example clicks could not be recorded', { cause: details });
      },
    },
  });
  for (const { at, link, visitor } of plannedClicks(links, count, now, days, random, places)) {
    clock = at;
    log.add({
      linkId: link.id,
      at,
      source: random.weighted(sourceWeights),
      rule: null,
      visitor: people.find(visitor.address, visitor.userAgent, visitor.acceptLanguage, at),
      address: null,
      referrer: people.findReferrer(random.weighted(exampleReferrers)),
      utm: link.utm === '' ? noUtm : readUtm(link.utm),
      limited: false,
      counted: true,
    });
    if (random.below(200) === 0) log.commit();
  }
  log.commit();
  const counting = rollups(clicks);
  while (counting.step(() => true) !== 'all');
  return count;
}

const sourceWeights = sources.map(
  (name, index) => [index, { link: 84, qr: 10, rotator: 1, bio: 4, api: 1 }[name]] as const,
);

function plannedClicks(
  links: readonly SeededLink[],
  count: number,
  now: number,
  days: number,
  random: Draws,
  places: Geolocation,
) {
  // Popularity has nothing to do with age.
  const byPopularity = [...links];
  for (let index = byPopularity.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [byPopularity[index], byPopularity[other]] = [
      byPopularity[other] as SeededLink,
      byPopularity[index] as SeededLink,
    ];
  }
  const position = zipf(byPopularity.length, random, 0.85);
  const crowd = exampleVisitors(Math.max(50, Math.round(count / 3)), random, places);
  const drawTime = exampleTimes(now, days, random);
  const planned: { at: number; link: SeededLink; visitor: (typeof crowd)[number] }[] = [];
  while (planned.length < count) {
    const earlier = planned[random.below(planned.length + 1)];
    if (earlier && random.next() < 0.2) {
      // A visitor who returns within the hour.
      planned.push({ ...earlier, at: Math.min(now, earlier.at + random.below(3_600_000)) });
      continue;
    }
    const visitor = random.pick(crowd);
    const at = drawTime(visitor.offset);
    let link = byPopularity[position()] as SeededLink;
    // A link is clicked after it was created.
    for (let tries = 0; link.createdAt > at && tries < 20; tries += 1)
      link = byPopularity[position()] as SeededLink;
    planned.push({ at: Math.max(at, Math.min(link.createdAt + 60_000, now)), link, visitor });
  }
  return planned.sort((one, other) => one.at - other.at);
}
