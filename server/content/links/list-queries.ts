import type { Read, Reader, Rows, Value } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { entriesSql } from '../../platform/text/stored-json.ts';
import { channelsBelow } from '../../visits/stats/channels-below.ts';
import { type ExportedLinkRow, exportedColumns, type LinkRow, rowColumns, rowSource } from './queries.ts';

export interface LinkFilter {
  q?: string | undefined;
  campaign?: number | undefined;
  channel?: number | undefined;
  /** `1` for links in channels below that one too. */
  below?: '0' | '1' | undefined;
  pixel?: number | undefined;
  /** 0 is the instance's own address. */
  domain?: number | undefined;
  type?: string | undefined;
  status?: string | undefined;
  /** The person who created them. */
  member?: number | undefined;
  health?: 'broken' | undefined;
}

/** An order of links: the index that has it, and what it reads forwards and backwards. */
interface Order {
  index: string;
  forwards: string;
  backwards: string;
}

const byDate: Order = {
  index: 'links_by_user',
  forwards: 'links.created_at DESC, links.id DESC',
  backwards: 'links.created_at, links.id',
};
const byClicks: Order = {
  index: 'links_by_clicks',
  forwards: 'links.clicks DESC, links.id DESC',
  backwards: 'links.clicks, links.id',
};
const byName: Order = {
  index: 'links_by_name',
  forwards: 'ifnull(links.title, links.alias) COLLATE NOCASE, links.id',
  backwards: 'ifnull(links.title, links.alias) COLLATE NOCASE DESC, links.id DESC',
};
const turned = ({ index, forwards, backwards }: Order): Order => ({
  index,
  forwards: backwards,
  backwards: forwards,
});

const orders: Record<string, Order> = {
  date: byDate,
  date_desc: byDate,
  date_asc: turned(byDate),
  clicks: byClicks,
  clicks_desc: byClicks,
  clicks_asc: turned(byClicks),
  click: byClicks,
  click_desc: byClicks,
  click_asc: turned(byClicks),
  name: byName,
  name_asc: byName,
  name_desc: turned(byName),
};

const isExpired = 'ifnull(links.expires_at, 9e15) <= @now';
const isScheduled = 'ifnull(links.not_before_at, 0) > @now';
const isExhausted = 'links.click_limit IS NOT NULL AND links.limited_clicks >= links.click_limit';
const isActive = `links.archived = 0 AND NOT (${isExpired}) AND NOT (${isScheduled}) AND NOT (${isExhausted})`;
/** In the words of the index `links_special`, which has no others. */
const isSpecial = `(links.archived = 1 OR links.expires_at IS NOT NULL OR links.not_before_at IS NOT NULL
  OR links.click_limit IS NOT NULL)`;

const statuses: Record<string, string> = {
  public: "links.status = 'public'",
  private: "links.status = 'private'",
  active: isActive,
  scheduled: `links.archived = 0 AND ${isScheduled} AND ${isSpecial}`,
  expired: `links.archived = 0 AND ${isExpired} AND ${isSpecial}`,
  exhausted: `links.archived = 0 AND ${isExhausted} AND ${isSpecial}`,
  archived: `links.archived = 1 AND ${isSpecial}`,
  locked: 'links.locked = 1',
};
/** What changes as time goes by, or with clicks. */
const unsteady = new Set(['active', 'scheduled', 'expired', 'exhausted']);

const liveSql = '(SELECT live FROM link_counts WHERE user_id = @user)';
const trashedSql = '(SELECT trashed FROM link_counts WHERE user_id = @user)';
const hasBelowSql = `SELECT count(*) > 1 AS has FROM (${channelsBelow} LIMIT 2)`;
const versionSql = 'SELECT live, trashed, version FROM link_counts WHERE user_id = @user';

/** Up to this many matches are sorted at once; beyond that the index of the order is read until the page is full. */
const fewLinks = 2_000;
/** Every so many links, the place in a list by date is remembered until the list changes: pages are found from there. */
const linksBetween = 10_000;

/** Trigrams find texts of three characters or more; shorter ones need a full scan. */
function hasTrigram(q: string): boolean {
  return [...caseFold(q)].length >= 3;
}

/** A list whose length triggers keep (`total`), and the page of it that is wanted. */
interface PlainList {
  filter: LinkFilter;
  total: string;
  wanted: Order;
  bound: Record<string, Value | undefined> & { limit: number; offset: number };
}

/** The result of a filter, found by its own index. */
interface Found {
  source: string;
  where: string;
}

/**
 * The lists of an account's links, read in the reader thread. Their SQL is assembled from the constant parts above;
 * values are always bound. A page is found by ids only, in an index, and only its own rows are read.
 */
export function linkLists(reader: Reader, few = fewLinks, between = linksBetween) {
  return {
    /** A page of what matches, and how many links do. */
    async list(
      userId: number,
      asked: LinkFilter,
      order: string,
      page: { limit: number; offset: number },
      now: number,
    ): Promise<Page<LinkRow>> {
      const filter = await nested(userId, asked);
      const wanted = orders[order] ?? byDate;
      const bound = { ...values(userId, filter, now), ...page };
      const total = totalSql(filter);
      if (total !== undefined) return plainPage({ filter, total, wanted, bound });
      // A link is not edited when its destination breaks, or a channel is renamed.
      const isKept =
        !unsteady.has(filter.status ?? '') && filter.health === undefined && filter.below === undefined;
      const [[version] = [], [counted] = []] = await reader.read([
        { sql: versionSql, values: [bound] },
        {
          sql: countSql(filter),
          values: [isKept ? { ...bound, ...noPage } : bound],
          ...(isKept && { keptWith: 0 }),
        },
      ]);
      const found = Number(counted?.total ?? 0);
      if (found <= page.offset) return { rows: [], total: found };
      const live = Number(version?.live ?? 0) + Number(version?.trashed ?? 0);
      const toRead = ((page.offset + page.limit) * live) / found;
      const ids = found <= few || toRead > 4 * found ? sortedIds(filter, wanted) : idsInOrder(filter, wanted);
      const [rows = []] = await reader.read([{ sql: rowsOf(ids), values: [bound] }]);
      return { rows: rows as unknown as LinkRow[], total: found };
    },

    /**
     * Matching links after a timestamp and id, newest first, with names for export: at most `limit`, up to a number of
     * `bytes`. Empty if no more match.
     */
    async exportBatch(
      userId: number,
      filter: LinkFilter,
      batch: { at: number; id: number; limit: number; bytes: number },
      now: number,
    ): Promise<ExportedLinkRow[]> {
      const after = '(links.created_at, links.id) < (@at, @id)';
      const ids = `SELECT links.id AS id FROM links INDEXED BY links_by_user
        WHERE ${conditions(filter).join(' AND ')} AND ${after} ORDER BY ${byDate.forwards} LIMIT @limit`;
      const order = 'created_at DESC, id DESC';
      const sql = `SELECT * FROM (SELECT ${exportedColumns},
          sum(${bytesOfLink}) OVER (ORDER BY links.created_at DESC, links.id DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
        ${picked(ids)}) WHERE ifnull(bytes_before, 0) < @bytes ORDER BY ${order}`;
      const [rows = []] = await reader.read([
        { sql, values: [{ ...values(userId, filter, now), ...batch }] },
      ]);
      return rows as unknown as ExportedLinkRow[];
    },

    /** What reads the ids of all links that match, newest first, as JSON lists of some thousands: `ids`. */
    idLists(userId: number, filter: LinkFilter, now: number): Read {
      const { source, where } = foundBy(filter);
      const found = `SELECT links.id AS id, (row_number() OVER (ORDER BY links.id DESC) - 1) / 5000 AS list
        FROM ${source} WHERE ${where} ORDER BY links.id DESC`;
      const sql = `SELECT json_group_array(id) AS ids FROM (${found}) GROUP BY list ORDER BY list`;
      return { sql, values: [values(userId, filter, now)] };
    },
  };

  /** The filter without `below` if there are no nested channels: a single channel's list has its own index. */
  async function nested(userId: number, { below, ...filter }: LinkFilter): Promise<LinkFilter> {
    const { channel } = filter;
    if (below !== '1' || channel === undefined) return filter;
    const [[row] = []] = await reader.read([{ sql: hasBelowSql, values: [{ user: userId, channel }] }]);
    return row?.has === 1 ? { ...filter, below } : filter;
  }

  /** A page of a list whose length is known: it is read from the end that is nearer. */
  async function plainPage(plain: PlainList): Promise<Page<LinkRow>> {
    const { filter, total, wanted, bound } = plain;
    const { limit, offset } = bound;
    const totalRead: Read = { sql: `SELECT ifnull(${total}, 0) AS total`, values: [bound] };
    const versionRead: Read = { sql: versionSql, values: [bound] };
    // Pages near the beginning do not need the total.
    const [version = [], [known] = []] =
      offset > 10 * limit ? await reader.read([versionRead, totalRead]) : [];
    if (known && Number(known.total) <= offset) return { rows: [], total: Number(known.total) };
    const isNear = known === undefined || 2 * offset + limit <= Number(known.total);
    const before = isNear ? offset : Number(known.total) - offset - limit;
    const order = isNear ? wanted : turned(wanted);
    const place = await placeBefore(filter, order, bound, before);
    if (place) {
      const ids = idsInOrder(filter, order, fromPlace(order));
      const [versionNow, [counted] = [], rows = []] = await reader.read([
        versionRead,
        totalRead,
        { sql: rowsOf(ids), values: [{ ...bound, ...place }] },
      ]);
      if (JSON.stringify(versionNow) === JSON.stringify(version)) return pageOf(rows, counted);
    }
    const ids = isNear ? idsInOrder(filter, wanted) : idsFromEnd(filter, wanted, total);
    const [[counted] = [], rows = []] = await reader.read([totalRead, { sql: rowsOf(ids), values: [bound] }]);
    return pageOf(rows, counted);

    function pageOf(rows: Rows, counted: Rows[number] | undefined): Page<LinkRow> {
      const found = rows as unknown as LinkRow[];
      return { rows: isNear ? found : found.reverse(), total: Number(counted?.total ?? 0) };
    }
  }

  /**
   * The nearest remembered place that is not behind so many links in an order by date, and how many of them follow it
   * (`offset`). An index has no numbers: without it, half a million entries would be read to come to the middle of a
   * million. Undefined near the beginning, and for other orders.
   */
  async function placeBefore(filter: LinkFilter, order: Order, bound: PlainList['bound'], before: number) {
    const skipped = Math.floor(before / between) * between;
    if (skipped <= 0 || order.index !== byDate.index || filter.channel !== undefined) return undefined;
    const [, [place] = []] = await reader.read([
      { sql: versionSql, values: [bound] },
      {
        sql: placeInOrder(filter, order),
        values: [{ ...bound, ...noPage, offset: skipped }],
        keptWith: 0,
      },
    ]);
    return place && { ...place, offset: before - skipped };
  }
}

export type LinkLists = ReturnType<typeof linkLists>;

/** About how many bytes a link takes, by what can be long in it. */
const bytesOfLink = ['url', 'note', 'rules', 'abtesting', 'parameters']
  .map((column) => `ifnull(octet_length(links.${column}), 0)`)
  .join(' + ');

/** Makes the bound values equal for all pages of a filter. */
const noPage = { limit: undefined, offset: undefined, now: undefined };

/** A length that triggers keep; undefined where it has to be counted. */
function totalSql(filter: LinkFilter): string | undefined {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  const [name, value] = set[0] ?? [];
  if (set.length > 1) return undefined;
  if (name === undefined) return liveSql;
  if (name === 'status' && value === 'trash') return trashedSql;
  // The owner of the campaign or channel was not checked: others' have no links of this account.
  if (name === 'campaign')
    return `(SELECT links FROM campaign_counts JOIN campaigns ON campaigns.id = campaign_id
      WHERE campaign_id = @campaign AND user_id = @user)`;
  if (name === 'channel')
    return `(SELECT links FROM channel_counts JOIN channels ON channels.id = channel_id
      WHERE channel_id = @channel AND user_id = @user)`;
  return undefined;
}

function countSql(filter: LinkFilter): string {
  const others = Object.entries(filter).filter(([name, value]) => name !== 'status' && value !== undefined);
  // Most links are active, public and not locked: the few others are counted.
  if (others.length === 0 && filter.status === 'active') {
    return `SELECT ifnull(${liveSql}, 0) - (SELECT count(*) FROM links INDEXED BY links_special
      WHERE links.user_id = @user AND (links.trashed_at IS NULL) = 1 AND ${isSpecial} AND NOT (${isActive})) AS total`;
  }
  if (others.length === 0 && filter.status === 'public') {
    return `SELECT ifnull(${liveSql}, 0) - (SELECT count(*) FROM links INDEXED BY links_private
      WHERE links.user_id = @user AND (links.trashed_at IS NULL) = 1 AND links.status = 'private') AS total`;
  }
  const { source, where } = foundBy(filter);
  return `SELECT count(*) AS total FROM ${source} WHERE ${where}`;
}

/** The ids of a page by the index of the order, whatever else must be checked in each row. */
function idsInOrder(filter: LinkFilter, { index, forwards }: Order, from = 'true'): string {
  const { campaign, channel, below, status } = filter;
  const isByDate = index === byDate.index;
  if (isByDate && channel !== undefined && below !== '1') {
    const live = status === 'trash' ? 0 : 1;
    const order = forwards
      .replaceAll('links.created_at', 'members.created_at')
      .replaceAll('links.id', 'members.link_id');
    return `SELECT members.link_id AS id FROM link_channels AS members CROSS JOIN links ON links.id = members.link_id
      WHERE members.channel_id = @channel AND members.live = ${live} AND ${conditions(filter).join(' AND ')}
      ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  }
  const source =
    isByDate && campaign !== undefined ? 'links INDEXED BY links_by_campaign' : `links INDEXED BY ${index}`;
  return `SELECT links.id AS id FROM ${source} WHERE ${conditions(filter).join(' AND ')} AND ${from}
    ORDER BY ${forwards} LIMIT @limit OFFSET @offset`;
}

/** The place in an order by date that so many links are before (`offset`): `at` and `id` of the link that is there. */
function placeInOrder(filter: LinkFilter, order: Order): string {
  return idsInOrder(filter, order)
    .replace('links.id AS id', 'links.created_at AS at, links.id AS id')
    .replace('LIMIT @limit', 'LIMIT 1');
}

/** The links of an order by date from a place on. */
function fromPlace({ forwards }: Order): string {
  return `(links.created_at, links.id) ${forwards === byDate.forwards ? '<=' : '>='} (@at, @id)`;
}

/** The same from the far end, in reversed order. */
function idsFromEnd(filter: LinkFilter, order: Order, total: string): string {
  // Nothing is counted once a campaign or channel is gone.
  const left = `ifnull(${total}, 0) - @offset`;
  return idsInOrder(filter, turned(order)).replace(
    'LIMIT @limit OFFSET @offset',
    `LIMIT max(0, min(@limit, ${left})) OFFSET max(0, ${left} - @limit)`,
  );
}

/** Ids of a page of the filter's result, sorted. */
function sortedIds(filter: LinkFilter, { forwards }: Order): string {
  const { source, where } = foundBy(filter);
  return `SELECT links.id AS id FROM ${source} WHERE ${where} ORDER BY ${forwards} LIMIT @limit OFFSET @offset`;
}

/** The rows of some ids, in their order: the ids are the outer loop of the join. */
function rowsOf(ids: string): string {
  return `SELECT ${rowColumns} ${picked(ids)}`;
}

function picked(ids: string): string {
  return `FROM (${ids}) AS picked CROSS JOIN ${rowSource.replace('links', 'links ON links.id = picked.id')}`;
}

/** Conditions that need no more than a link's own row and what hangs on it. */
function conditions(filter: LinkFilter): string[] {
  const { status, campaign, channel, below, pixel, domain, type, q, member, health } = filter;
  const parts = ['links.user_id = @user', `(links.trashed_at IS NULL) = ${status === 'trash' ? 0 : 1}`];
  if (status !== undefined && status !== 'trash') parts.push(statuses[status] ?? '0');
  if (campaign !== undefined) parts.push('links.campaign_id = @campaign');
  if (member !== undefined) parts.push('ifnull(links.created_by, links.user_id) = @member');
  // The index of types does not contain direct links.
  if (type === 'direct') parts.push("links.type = 'direct'");
  else if (type !== undefined) parts.push("links.type <> 'direct' AND links.type = @type");
  if (domain !== undefined)
    parts.push(domain === 0 ? 'links.domain_id IS NULL' : 'links.domain_id = @domain');
  if (channel !== undefined && below === '1')
    parts.push(
      `EXISTS (SELECT 1 FROM link_channels WHERE link_id = links.id AND channel_id IN (${channelsBelow}))`,
    );
  else if (channel !== undefined)
    parts.push('EXISTS (SELECT 1 FROM link_channels WHERE channel_id = @channel AND link_id = links.id)');
  if (pixel !== undefined)
    parts.push(
      `links.pixels <> '[]' AND EXISTS (SELECT 1 FROM ${entriesSql('links.pixels')} WHERE value = @pixel)`,
    );
  if (health !== undefined) {
    parts.push('EXISTS (SELECT 1 FROM link_health WHERE link_id = links.id AND broken_at IS NOT NULL)');
  }
  if (q !== undefined) parts.push('instr(links.search, @q) > 0');
  return parts;
}

function foundBy(filter: LinkFilter): Found {
  const { q, channel, ...others } = filter;
  if (q !== undefined && hasTrigram(q)) {
    const where = ['links_search MATCH @match', ...conditions({ ...others, channel })];
    return {
      source: 'links_search CROSS JOIN links ON links.id = links_search.rowid',
      where: where.join(' AND '),
    };
  }
  if (channel !== undefined && filter.below === '1') {
    const members = `SELECT DISTINCT link_id FROM link_channels WHERE channel_id IN (${channelsBelow})`;
    return {
      source: `(${members}) AS members CROSS JOIN links ON links.id = members.link_id`,
      where: conditions({ ...others, q }).join(' AND '),
    };
  }
  if (channel !== undefined) {
    const where = ['members.channel_id = @channel', ...conditions({ ...others, q })];
    return {
      source: 'link_channels AS members CROSS JOIN links ON links.id = members.link_id',
      where: where.join(' AND '),
    };
  }
  const where = conditions(filter).join(' AND ');
  if (filter.health !== undefined) {
    // The few that are broken, by their own index.
    const source = 'link_health AS broken CROSS JOIN links ON links.id = broken.link_id';
    return { source, where: `broken.broken_at IS NOT NULL AND ${where}` };
  }
  return { source: 'links', where };
}

function values(userId: number, filter: LinkFilter, now: number): Record<string, Value | undefined> {
  const q = filter.q === undefined ? undefined : caseFold(filter.q);
  return {
    user: userId,
    now,
    q,
    // A phrase in quotes is literal to FTS5; its only special character is the quote itself.
    match: q === undefined ? undefined : `"${q.replaceAll('"', '""')}"`,
    campaign: filter.campaign,
    channel: filter.channel,
    pixel: filter.pixel,
    domain: filter.domain,
    type: filter.type,
    member: filter.member,
  };
}
