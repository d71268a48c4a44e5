import type { Connection } from '../../platform/database/connect.ts';
import type { Read, Value } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** What can be set on a link, as it is stored; the unit of history and undo. */
export interface LinkRecord {
  domain_id: number | null;
  alias: string;
  url: string;
  title: string | null;
  description: string | null;
  note: string | null;
  type: string;
  password_hash: string | null;
  status: 'public' | 'private';
  expires_at: number | null;
  not_before_at: number | null;
  click_limit: number | null;
  expiration_url: string | null;
  redirect_status: number;
  forward_query: 0 | 1;
  archived: 0 | 1;
  locked: 0 | 1;
  rules: string;
  abtesting: string;
  parameters: string;
  deeplink: string | null;
  meta_title: string | null;
  meta_description: string | null;
  meta_image: string | null;
  pixels: string;
  campaign_id: number | null;
  trashed_at: number | null;
}

export interface LinkRow extends LinkRecord {
  id: number;
  user_id: number;
  created_at: number;
  updated_at: number;
  clicks: number;
  unique_clicks: number;
  limited_clicks: number;
  /** Host of the link's domain; null on the instance's own address. */
  host: string | null;
  /** JSON array of channel ids. */
  channels: string;
}

/** A link with the names of what it is grouped by; channel_names is a JSON array. */
export interface ExportedLinkRow extends LinkRow {
  campaign_name: string | null;
  channel_names: string;
}

/** What a link is before anything is set on it. An empty alias stands for a random one. */
export const emptyRecord: LinkRecord = {
  domain_id: null,
  alias: '',
  url: '',
  title: null,
  description: null,
  note: null,
  type: 'direct',
  password_hash: null,
  status: 'public',
  expires_at: null,
  not_before_at: null,
  click_limit: null,
  expiration_url: null,
  redirect_status: 302,
  forward_query: 0,
  archived: 0,
  locked: 0,
  rules: '[]',
  abtesting: '[]',
  parameters: '[]',
  deeplink: null,
  meta_title: null,
  meta_description: null,
  meta_image: null,
  pixels: '[]',
  campaign_id: null,
  trashed_at: null,
};

export const recordColumns = [
  'domain_id',
  'alias',
  'url',
  'title',
  'description',
  'note',
  'type',
  'password_hash',
  'status',
  'expires_at',
  'not_before_at',
  'click_limit',
  'expiration_url',
  'redirect_status',
  'forward_query',
  'archived',
  'locked',
  'rules',
  'abtesting',
  'parameters',
  'deeplink',
  'meta_title',
  'meta_description',
  'meta_image',
  'pixels',
  'campaign_id',
  'trashed_at',
] as const satisfies readonly (keyof LinkRecord)[];

const rowColumns = `links.*, domains.host AS host,
  (SELECT json_group_array(channel_id) FROM link_channels WHERE link_id = links.id) AS channels`;
const rowSource = 'links LEFT JOIN domains ON domains.id = links.domain_id';

export interface LinkFilter {
  q?: string | undefined;
  campaign?: number | undefined;
  channel?: number | undefined;
  pixel?: number | undefined;
  /** 0 is the instance's own address. */
  domain?: number | undefined;
  type?: string | undefined;
  status?: string | undefined;
}

/** SQL of links. Every statement of a user's links carries the user's id. */
export function linkQueries(database: Connection) {
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO links (user_id, created_at, updated_at, search, ${recordColumns.join(', ')})
     VALUES (@user_id, @created_at, @updated_at, @search, ${recordColumns.map((name) => `@${name}`).join(', ')})`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE links SET updated_at = @updated_at, search = @search,
       ${recordColumns.map((name) => `${name} = @${name}`).join(', ')}
     WHERE id = @id`,
  );
  const byId = database.prepare<[number, number], LinkRow>(
    `SELECT ${rowColumns} FROM ${rowSource} WHERE links.id = ? AND links.user_id = ?`,
  );
  const byAlias = database.prepare<[number, number, string], LinkRow>(
    `SELECT ${rowColumns} FROM aliases JOIN links ON links.id = aliases.target_id LEFT JOIN domains ON domains.id = links.domain_id
     WHERE links.user_id = ? AND aliases.domain_id = ? AND aliases.alias = ? AND aliases.kind = 'link'`,
  );
  const remove = database.prepare<[number]>('DELETE FROM links WHERE id = ?');
  const countAll = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM links WHERE user_id = ? AND trashed_at IS NULL',
  );
  const expired = database.prepare<[number, number], { id: number; user_id: number }>(
    'SELECT id, user_id FROM links WHERE trashed_at < ? ORDER BY trashed_at LIMIT ?',
  );
  const list = listQueries(database);

  return {
    insert(userId: number, record: LinkRecord, at: number): number {
      const row = { ...record, user_id: userId, created_at: at, updated_at: at, search: searchText(record) };
      return Number(insert.run(row).lastInsertRowid);
    },
    update(id: number, record: LinkRecord, at: number): void {
      update.run({ ...pickRecord(record), id, updated_at: at, search: searchText(record) });
    },
    find: (id: number, userId: number): LinkRow | undefined => byId.get(id, userId),
    findByAlias: (userId: number, domainId: number, alias: string): LinkRow | undefined =>
      byAlias.get(userId, domainId, alias),
    /** Removes a link for good; what was counted for it is removed in the background (`clicks/gone-links.ts`). */
    remove: (id: number): void => void remove.run(id),
    count: (userId: number): number => countAll.get(userId)?.total ?? 0,
    trashedBefore: (at: number, limit: number) => expired.all(at, limit),
    ...list,
  };
}

export type LinkQueries = ReturnType<typeof linkQueries>;

/** The settable columns of a row, and nothing else. */
export function pickRecord(row: LinkRecord): LinkRecord {
  const entries = recordColumns.map((name) => [name, row[name]]);
  return Object.fromEntries(entries) as LinkRecord;
}

/** What a search looks at: composed and without case, one field a line. */
export function searchText({ alias, title, url, note }: LinkRecord): string {
  return caseFold([alias, title ?? '', url, note ?? ''].join('\n'));
}

const orders: Record<string, string> = {
  date: 'links.created_at DESC, links.id DESC',
  date_desc: 'links.created_at DESC, links.id DESC',
  date_asc: 'links.created_at, links.id',
  clicks: 'links.clicks DESC, links.id DESC',
  clicks_desc: 'links.clicks DESC, links.id DESC',
  clicks_asc: 'links.clicks, links.id',
  click: 'links.clicks DESC, links.id DESC',
  click_desc: 'links.clicks DESC, links.id DESC',
  click_asc: 'links.clicks, links.id',
  name: 'ifnull(links.title, links.alias) COLLATE NOCASE, links.id',
  name_asc: 'ifnull(links.title, links.alias) COLLATE NOCASE, links.id',
  name_desc: 'ifnull(links.title, links.alias) COLLATE NOCASE DESC, links.id DESC',
};

const isExpired = 'ifnull(links.expires_at, 9e15) <= @now';
const isScheduled = 'ifnull(links.not_before_at, 0) > @now';
const isExhausted = 'links.click_limit IS NOT NULL AND links.limited_clicks >= links.click_limit';

const statuses: Record<string, string> = {
  public: "links.status = 'public'",
  private: "links.status = 'private'",
  active: `links.archived = 0 AND NOT (${isExpired}) AND NOT (${isScheduled}) AND NOT (${isExhausted})`,
  scheduled: `links.archived = 0 AND ${isScheduled}`,
  expired: `links.archived = 0 AND ${isExpired}`,
  exhausted: `links.archived = 0 AND ${isExhausted}`,
  archived: 'links.archived = 1',
  locked: 'links.locked = 1',
  trash: '1',
};

/** The filtered list: its SQL is put together from the fixed parts above, values are always bound. */
function listQueries(database: Connection) {
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };

  function where(filter: LinkFilter): string {
    const parts = ['links.user_id = @user'];
    parts.push(filter.status === 'trash' ? 'links.trashed_at IS NOT NULL' : 'links.trashed_at IS NULL');
    if (filter.status !== undefined) parts.push(statuses[filter.status] ?? '0');
    if (filter.campaign !== undefined) parts.push('links.campaign_id = @campaign');
    if (filter.type !== undefined) {
      // The index of types knows no direct links.
      parts.push(
        filter.type === 'direct' ? "links.type = 'direct'" : "links.type <> 'direct' AND links.type = @type",
      );
    }
    if (filter.domain !== undefined) parts.push('ifnull(links.domain_id, 0) = @domain');
    if (filter.channel !== undefined) {
      parts.push('links.id IN (SELECT link_id FROM link_channels WHERE channel_id = @channel)');
    }
    if (filter.pixel !== undefined) {
      parts.push(
        `links.pixels <> '[]' AND EXISTS (SELECT 1 FROM json_each(links.pixels) WHERE value = @pixel)`,
      );
    }
    if (filter.q !== undefined) {
      // Trigrams find texts of three characters or more; shorter ones are looked for in every row.
      parts.push(
        [...caseFold(filter.q)].length >= 3
          ? 'links.id IN (SELECT rowid FROM links_search WHERE links_search MATCH @match)'
          : 'instr(links.search, @q) > 0',
      );
    }
    return parts.join(' AND ');
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
    };
  }

  return {
    list(
      userId: number,
      filter: LinkFilter,
      order: string,
      page: { limit: number; offset: number },
      now: number,
    ): Page<LinkRow> {
      const bound = values(userId, filter, now);
      const condition = where(filter);
      const count = prepare(`SELECT count(*) AS total FROM links WHERE ${condition}`).get(bound);
      const rows = prepare(
        `SELECT ${rowColumns} FROM ${rowSource} WHERE ${condition}
         ORDER BY ${orders[order] ?? orders.date} LIMIT @limit OFFSET @offset`,
      ).all({ ...bound, ...page });
      return { rows: rows as LinkRow[], total: (count as { total: number }).total };
    },
    /** Links that match and have a smaller id than `before`, newest first, with the names that files show. */
    exportBatch(
      userId: number,
      filter: LinkFilter,
      batch: { before: number; limit: number },
      now: number,
    ): ExportedLinkRow[] {
      const rows = prepare(
        `SELECT ${rowColumns},
           (SELECT name FROM campaigns WHERE campaigns.id = links.campaign_id) AS campaign_name,
           (SELECT json_group_array(name) FROM channels
            WHERE id IN (SELECT channel_id FROM link_channels WHERE link_id = links.id)) AS channel_names
         FROM ${rowSource} WHERE ${where(filter)} AND links.id < @before ORDER BY links.id DESC LIMIT @limit`,
      ).all({ ...values(userId, filter, now), ...batch });
      return rows as ExportedLinkRow[];
    },
    /** What reads the ids of all links that match, newest first, as JSON lists of some thousands: `ids`. */
    idLists(userId: number, filter: LinkFilter, now: number): Read {
      const found = `SELECT links.id, (row_number() OVER (ORDER BY links.id DESC) - 1) / 5000 AS list
        FROM links WHERE ${where(filter)} ORDER BY links.id DESC`;
      const sql = `SELECT json_group_array(id) AS ids FROM (${found}) GROUP BY list ORDER BY list`;
      return { sql, values: [values(userId, filter, now)] };
    },
  };
}
