import type { Connection } from '../../platform/database/connect.ts';
import type { CountedLink } from '../../platform/events/counted-link.ts';
import { boundedCache } from './bounded-cache.ts';
import { dayMs, dimensions, hourMs, scopes } from './dimensions.ts';
import { type LoggedClick, type RollupQueries, rollupQueries } from './rollup-queries.ts';

export interface Rollups {
  /**
   * Counts the next `most` clicks of the log and moves the position, all in one transaction: after a crash it goes on
   * where it was. Returns how many clicks it took, 0 when the log is counted to its end.
   */
  countSlice(most: number): number;
  /** Told after a slice's commit; for live views. */
  onCounted(listener: (links: CountedLink[]) => void): () => void;
}

/** Clicks, first clicks of visitors and bots of one hour and dimension. */
type Figures = [clicks: number, uniqueClicks: number, bots: number];

/** All dimensions of one link or user in one hour: word and dimension in one number → figures. */
type HourFigures = Map<number, Figures>;

interface Totals {
  clicks: number;
  uniqueClicks: number;
  lastAt: number;
}

/** Derives the statistics from the click log. `connection` is the one that the log is written on. */
export function rollups(connection: Connection): Rollups {
  const queries = rollupQueries(connection);
  const listeners = new Set<(links: CountedLink[]) => void>();
  const owners = boundedCache<number, number>(32_768);

  /** The owner of a link, 0 when the link is gone for good. A link never changes its owner. */
  function ownerOf(linkId: number): number {
    const known = owners.get(linkId);
    if (known !== undefined) return known;
    const owner = queries.findOwner(linkId) ?? 0;
    owners.set(linkId, owner);
    return owner;
  }

  function count(clicks: LoggedClick[]): CountedLink[] {
    const ofLinks = new Map<number, HourFigures>();
    const ofUsers = new Map<number, HourFigures>();
    const totals = new Map<number, Totals>();
    const counted = new Map<number, CountedLink>();
    for (const click of clicks) {
      const linkId = click[1];
      const userId = ownerOf(linkId);
      if (userId === 0) continue;
      queries.addLinkClick(linkId, click[0]);
      const day = Math.floor(click[2] / dayMs);
      const isBot = click[5] !== 0;
      const firstOnLink = !isBot && queries.addVisitor(day, scopes.link, linkId, click[3]);
      const firstForUser = !isBot && queries.addVisitor(day, scopes.user, userId, click[3]);
      addClick(hourOf(ofLinks, linkId, click[2]), click, isBot, firstOnLink);
      const userHour = hourOf(ofUsers, userId, click[2]);
      addClick(userHour, click, isBot, firstForUser);
      addFigures(userHour, dimensions.link, linkId, isBot, firstOnLink);
      if (!isBot) addTotals(totals, linkId, click[2], firstOnLink);
      const entry = counted.get(linkId);
      if (entry) entry.clickIds.push(click[0]);
      else counted.set(linkId, { userId, linkId, clickIds: [click[0]] });
    }
    writeFigures(queries, scopes.link, ofLinks);
    writeFigures(queries, scopes.user, ofUsers);
    for (const [linkId, { clicks: sum, uniqueClicks, lastAt }] of totals) {
      queries.addToLink(linkId, sum, uniqueClicks, lastAt);
    }
    return [...counted.values()];
  }

  const slice = connection.transaction((most: number): { taken: number; links: CountedLink[] } => {
    const clicks = queries.nextClicks(most);
    const last = clicks.at(-1);
    if (!last) return { taken: 0, links: [] };
    const links = count(clicks);
    queries.setPosition(last[0]);
    // More than a slice can add, so that the sweep always gets to its end.
    queries.sweepVisitors(Math.floor(last[2] / dayMs) - 1, 3 * clicks.length);
    return { taken: clicks.length, links };
  });

  return {
    countSlice(most) {
      if (!queries.hasNext()) return 0;
      const { taken, links } = slice.immediate(most);
      if (links.length > 0) for (const listener of listeners) listener(links);
      return taken;
    },
    onCounted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Ids stay below 2^32 and hours below 2^21 (year 2209), so both fit one exact number. */
const hourSpan = 2 ** 21;
const dimensionSpan = 16;

function hourOf(figures: Map<number, HourFigures>, id: number, at: number): HourFigures {
  const key = id * hourSpan + Math.floor(at / hourMs);
  let hour = figures.get(key);
  if (!hour) {
    hour = new Map();
    figures.set(key, hour);
  }
  return hour;
}

function addClick(hour: HourFigures, click: LoggedClick, isBot: boolean, isFirst: boolean): void {
  addFigures(hour, dimensions.total, 0, isBot, isFirst);
  const [
    ,
    ,
    ,
    ,
    source,
    ,
    country,
    city,
    referrer,
    browser,
    os,
    device,
    language,
    utmSource,
    utmMedium,
    utmCampaign,
  ] = click;
  // What has no word has no row: it is the total less the rest.
  if (country) addFigures(hour, dimensions.country, country, isBot, isFirst);
  if (city) addFigures(hour, dimensions.city, city, isBot, isFirst);
  if (referrer) addFigures(hour, dimensions.referrer, referrer, isBot, isFirst);
  if (browser) addFigures(hour, dimensions.browser, browser, isBot, isFirst);
  if (os) addFigures(hour, dimensions.os, os, isBot, isFirst);
  if (device) addFigures(hour, dimensions.device, device, isBot, isFirst);
  if (language) addFigures(hour, dimensions.language, language, isBot, isFirst);
  if (source) addFigures(hour, dimensions.source, source, isBot, isFirst);
  if (utmSource) addFigures(hour, dimensions.utm_source, utmSource, isBot, isFirst);
  if (utmMedium) addFigures(hour, dimensions.utm_medium, utmMedium, isBot, isFirst);
  if (utmCampaign) addFigures(hour, dimensions.utm_campaign, utmCampaign, isBot, isFirst);
}

function addFigures(
  hour: HourFigures,
  dimension: number,
  word: number,
  isBot: boolean,
  isFirst: boolean,
): void {
  const key = word * dimensionSpan + dimension;
  let figures = hour.get(key);
  if (!figures) {
    figures = [0, 0, 0];
    hour.set(key, figures);
  }
  if (isBot) figures[2] += 1;
  else figures[0] += 1;
  if (isFirst) figures[1] += 1;
}

function addTotals(totals: Map<number, Totals>, linkId: number, at: number, isFirst: boolean): void {
  const known = totals.get(linkId);
  if (!known) {
    totals.set(linkId, { clicks: 1, uniqueClicks: isFirst ? 1 : 0, lastAt: at });
    return;
  }
  known.clicks += 1;
  if (isFirst) known.uniqueClicks += 1;
  known.lastAt = Math.max(known.lastAt, at);
}

function writeFigures(queries: RollupQueries, scope: number, figures: Map<number, HourFigures>): void {
  for (const [key, hour] of figures) {
    const id = Math.floor(key / hourSpan);
    for (const [wordKey, [clicks, uniqueClicks, bots]] of hour) {
      const dimension = wordKey % dimensionSpan;
      const word = Math.floor(wordKey / dimensionSpan);
      queries.addFigures(scope, id, dimension, key % hourSpan, word, clicks, uniqueClicks, bots);
    }
  }
}
