import type { Connection } from '../../platform/database/connect.ts';
import type { Read, Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';

export interface CampaignRow {
  id: number;
  name: string;
  slug: string | null;
  public: 0 | 1;
  domain_id: number | null;
  /** Host of the campaign's domain; null on the instance's own address. */
  host: string | null;
  views: number;
  turns: number;
  created_at: number;
  urlcount: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

export interface CampaignLinkRow {
  id: number;
  alias: string;
  host: string | null;
  url: string;
  title: string | null;
  clicks: number;
  unique_clicks: number;
  campaign_weight: number;
  created_at: number;
}

/** What can be set on a campaign. */
export interface CampaignRecord {
  name: string;
  name_folded: string;
  slug: string | null;
  public: 0 | 1;
  domain_id: number | null;
}

const columns = `campaigns.id, name, slug, public, domain_id, domains.host AS host, views, turns, campaigns.created_at,
  campaigns.version, campaigns.created_by, campaigns.updated_by,
  ifnull((SELECT links FROM campaign_counts WHERE campaign_id = campaigns.id), 0) AS urlcount`;
const source = 'campaigns LEFT JOIN domains ON domains.id = domain_id';

const condition = `campaigns.user_id = @user AND leaving = 0 AND (@q IS NULL OR instr(name_folded, @q) > 0)
  AND (@member IS NULL OR ifnull(campaigns.created_by, campaigns.user_id) = @member)`;
const listSql = {
  rows: `SELECT ${columns} FROM ${source} WHERE ${condition} ORDER BY name_folded, campaigns.id LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM campaigns WHERE ${condition}`,
};
const clicksSql =
  'SELECT ifnull(sum(clicks), 0) AS clicks FROM links WHERE campaign_id = ? AND (trashed_at IS NULL) = 1';

const ownMetricsSql = `SELECT campaign_id AS id, count(*) AS urlcount, ifnull(sum(clicks), 0) AS clicks FROM links
  WHERE campaign_id IN (SELECT value FROM json_each(@campaigns)) AND (trashed_at IS NULL) = 1
    AND ifnull(created_by, user_id) = @member GROUP BY campaign_id`;

/** In a single read: separate counts could be made to match by links added or removed in between. */
const othersSql = `SELECT EXISTS (SELECT 1 FROM links WHERE campaign_id = @campaign AND (trashed_at IS NULL) = 1
    AND ifnull(created_by, user_id) <> @member) AS found`;

/** The orders of a campaign's links, in the words of the indexes that have them. */
const memberOrders = {
  clicked: 'links.clicked_at DESC, links.id DESC',
  own: 'links.campaign_position IS NULL, links.campaign_position, links.created_at DESC, links.id DESC',
};

const memberListsSql = `SELECT json_group_array(id) AS ids FROM (
    SELECT id, (row_number() OVER (ORDER BY ${memberOrders.own}) - 1) / 2000 AS list
    FROM links WHERE campaign_id = ? ORDER BY ${memberOrders.own}
  ) GROUP BY list ORDER BY list`;

function membersSql(order: keyof typeof memberOrders): string {
  return `SELECT links.id, links.alias, domains.host AS host, links.url, links.title, links.clicks, links.unique_clicks,
      links.campaign_weight, links.created_at
    FROM (SELECT links.id AS id FROM links WHERE links.campaign_id = @campaign AND (links.trashed_at IS NULL) = 1
        AND (@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)
      ORDER BY ${memberOrders[order]} LIMIT @limit OFFSET @offset) AS picked
    CROSS JOIN links ON links.id = picked.id LEFT JOIN domains ON domains.id = links.domain_id`;
}

/** What a campaign has, counted over the links of one person. */
export interface OwnMetrics {
  urlcount: number;
  clicks: number;
}

/** The lists of campaigns, read in the reader's thread. A list of links reads the rows of its page alone. */
export function campaignLists(reader: Reader) {
  async function rowsOf<Row>(read: Read): Promise<Row[]> {
    const [rows = []] = await reader.read([read]);
    return rows as Row[];
  }

  return {
    list: (user: number, q: string | null, page: ListPage): Promise<Page<CampaignRow>> =>
      reader.page(listSql, { user, q, ...page }),
    /** Links of a campaign, newest clicked first (contract), or as their owner ordered them. */
    listLinks: (
      campaign: number,
      order: keyof typeof memberOrders,
      page: ListPage,
    ): Promise<CampaignLinkRow[]> => rowsOf({ sql: membersSql(order), values: [{ campaign, ...page }] }),
    /** Every link of a campaign in its order, those in the trash included: JSON lists of some thousands of ids. */
    async memberLists(id: number): Promise<string[]> {
      const rows = await rowsOf<{ ids: string }>({ sql: memberListsSql, values: [id] });
      return rows.map(({ ids }) => ids);
    },
    /** How many links of campaigns a person created, and their clicks; campaigns without any are omitted. */
    async ownMetrics(campaigns: readonly number[], member: number): Promise<Map<number, OwnMetrics>> {
      const values = [{ campaigns: JSON.stringify(campaigns), member }];
      const rows = await rowsOf<OwnMetrics & { id: number }>({ sql: ownMetricsSql, values });
      return new Map(rows.map(({ id, ...metrics }) => [id, metrics]));
    },
    /** Whether a campaign contains links added by someone else. */
    async hasOthers(campaign: number, member: number): Promise<boolean> {
      const [row] = await rowsOf<{ found: number }>({ sql: othersSql, values: [{ campaign, member }] });
      return row?.found === 1;
    },
    /** Clicks of all links that are in the campaign now. */
    async countClicks(id: number): Promise<number> {
      const [row] = await rowsOf<{ clicks: number }>({ sql: clicksSql, values: [id] });
      return row?.clicks ?? 0;
    },
  };
}

export type CampaignLists = ReturnType<typeof campaignLists>;

/** SQL of campaigns. Every statement that a path's id reaches carries the user's id. */
export function campaignQueries(database: Connection) {
  const countOf = database
    .prepare<[number], number>('SELECT count(*) FROM campaigns WHERE user_id = ? AND leaving = 0')
    .pluck();
  const byId = database.prepare<[number, number], CampaignRow>(
    `SELECT ${columns} FROM ${source} WHERE campaigns.id = ? AND campaigns.user_id = ? AND leaving = 0`,
  );
  const byName = database.prepare<[number, string], { id: number }>(
    'SELECT id FROM campaigns WHERE user_id = ? AND name_folded = ?',
  );
  const bySlug = database.prepare<[string], { id: number }>('SELECT id FROM campaigns WHERE slug = ?');
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO campaigns (user_id, name, name_folded, slug, public, domain_id, created_at)
     VALUES (@user, @name, @name_folded, @slug, @public, @domain_id, @at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    // A name that stays keeps its key, which may be that of migration 16.
    `UPDATE campaigns SET name = @name, name_folded = iif(name = @name, name_folded, @name_folded), slug = @slug, public = @public,
       domain_id = @domain_id
     WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM campaigns WHERE id = ?');
  const setWeight = database.prepare<[number, number]>('UPDATE links SET campaign_weight = ? WHERE id = ?');
  const countEdit = database.prepare<[number]>('UPDATE campaigns SET version = version + 1 WHERE id = ?');
  const setPosition = database.prepare<[number, number, number]>(
    'UPDATE links SET campaign_position = ? WHERE id = ? AND campaign_id = ?',
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO campaigns (id, user_id, name, name_folded, slug, public, domain_id, views, turns, created_at)
     VALUES (@id, @user, @name, @name_folded, @slug, @public, @domain_id, @views, @turns, @created_at)`,
  );
  return {
    count: (userId: number): number => countOf.get(userId) ?? 0,
    find: (id: number, userId: number): CampaignRow | undefined => byId.get(id, userId),
    findByName: (userId: number, folded: string): number | undefined => byName.get(userId, folded)?.id,
    findBySlug: (slug: string): number | undefined => bySlug.get(slug)?.id,
    insert: (userId: number, record: CampaignRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    update: (id: number, record: CampaignRecord): void => void update.run({ ...record, id }),
    remove: (id: number): void => void remove.run(id),
    setWeight: (linkId: number, weight: number): void => void setWeight.run(weight, linkId),
    /** Counts an edit of a campaign that does not change its own row. */
    countEdit: (id: number): void => void countEdit.run(id),
    /** Gives a link its place in a campaign, unless it has left that. */
    setPosition: (id: number, linkId: number, position: number): void =>
      void setPosition.run(position, linkId, id),
    /** Puts a campaign that was removed back under its id. */
    reinsert({ id, views, turns, created_at }: CampaignRow, record: CampaignRecord, userId: number): void {
      reinsert.run({ id, views, turns, created_at, ...record, user: userId });
    },
  };
}

export type CampaignQueries = ReturnType<typeof campaignQueries>;
