import type { Connection } from '../../platform/database/connect.ts';
import { editedLinkColumns } from '../../platform/database/edited-tables.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** The editable fields of a link, as stored; the unit of history and undo. */
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
  /** When it is archived, goes to the trash, and ends its A/B test with `test_winner` (null: its own destination). */
  archive_at: number | null;
  delete_at: number | null;
  test_until: number | null;
  test_winner: string | null;
  trashed_at: number | null;
}

export interface LinkRow extends LinkRecord {
  id: number;
  user_id: number;
  created_at: number;
  updated_at: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
  clicks: number;
  unique_clicks: number;
  limited_clicks: number;
  /** Host of the link's domain; null on the instance's own address. */
  host: string | null;
  /** JSON array of channel ids. */
  channels: string;
  /** JSON array of the results of the last check of its destinations; null if there was none. */
  health?: string | null;
}

/** A link with the names of its groups; channel_names is a JSON array. */
export interface ExportedLinkRow extends LinkRow {
  campaign_name: string | null;
  channel_names: string;
}

/** The defaults of a new link. An empty alias means a random one. */
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
  archive_at: null,
  delete_at: null,
  test_until: null,
  test_winner: null,
  trashed_at: null,
};

const recordColumns = editedLinkColumns satisfies readonly (keyof LinkRecord)[];

/** The columns of a `LinkRow`, and what they are read from. */
export const rowColumns = `links.*, domains.host AS host,
  (SELECT json_group_array(channel_id) FROM link_channels WHERE link_id = links.id) AS channels,
  (SELECT json_array(checked_at, broken_at IS NOT NULL, failed_at, reason, address) FROM link_health
   WHERE link_id = links.id AND checked_at IS NOT NULL) AS health`;
/** The columns of an `ExportedLinkRow`, which are read from the same. */
export const exportedColumns = `${rowColumns},
  (SELECT name FROM campaigns WHERE campaigns.id = links.campaign_id) AS campaign_name,
  (SELECT json_group_array(name) FROM channels
   WHERE id IN (SELECT channel_id FROM link_channels WHERE link_id = links.id)) AS channel_names`;
export const rowSource = 'links LEFT JOIN domains ON domains.id = links.domain_id';

/** Where a link is searched by its destination. */
export interface DestinationSearch {
  userId: number;
  url: string;
  domainId: number | null;
  /** The member whose links are searched. */
  creator?: number;
  /** Whether a stored destination is the one. */
  isSame: (url: string) => boolean;
}

/** The maximum number of candidates for one destination, which differ in the case of its path only. */
const mostAlike = 1_000;

type Leading = Omit<DestinationSearch, 'isSame'> & { archived: 0 | 1 };
type LinkTo = Pick<LinkRow, 'id' | 'url'>;

// Read in the order of the expression index, so that only links of the same spelling are examined.
function leadingSql(who: string, order: string): string {
  return `SELECT id, url FROM links
    WHERE user_id = @userId AND trashed_at IS NULL
      AND replace(replace(lower(url), './', '/'), '.:', ':') = replace(replace(lower(@url), './', '/'), '.:', ':')
      AND ifnull(domain_id, 0) = ifnull(@domainId, 0) AND archived = @archived ${who}
    ORDER BY ${order} LIMIT ${mostAlike}`;
}

/**
 * Links of accounts that are there, for which a day has come. The indexes of these columns have nothing from the trash.
 */
const dueSql = (['archive_at', 'delete_at', 'test_until'] as const)
  .map(
    (
      column,
    ) => `SELECT id, user_id FROM links WHERE ${column} <= @now AND ${column} IS NOT NULL AND trashed_at IS NULL
      AND user_id NOT IN (SELECT id FROM users WHERE removed_at IS NOT NULL
        UNION ALL SELECT id FROM users WHERE trashed_at IS NOT NULL)`,
  )
  .join(' UNION ALL ');

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
  const byAliasAnywhere = database.prepare<[{ userId: number; alias: string }], LinkRow>(
    // Looked up on each domain: aliases have no index without it.
    `SELECT ${rowColumns} FROM (
       SELECT 0 AS id UNION ALL SELECT id FROM domains WHERE user_id = @userId
       UNION ALL SELECT id FROM domains WHERE user_id IS NULL) AS places
     CROSS JOIN aliases ON aliases.domain_id = places.id AND aliases.alias = @alias
     CROSS JOIN links ON links.id = aliases.target_id LEFT JOIN domains ON domains.id = links.domain_id
     WHERE links.user_id = @userId AND aliases.kind = 'link'`,
  );
  const byDestination = database.prepare<[Leading], LinkTo>(
    leadingSql('', 'ifnull(created_by, user_id), id'),
  );
  const byDestinationOfOne = database.prepare<[Leading], LinkTo>(
    leadingSql('AND ifnull(created_by, user_id) = @creator', 'id'),
  );
  const remove = database.prepare<[number]>('DELETE FROM links WHERE id = ?');
  // Maintained by triggers: the plan's limit is checked before each new link.
  const countAll = database.prepare<[number], { total: number }>(
    'SELECT live AS total FROM link_counts WHERE user_id = ?',
  );
  const expired = database.prepare<[number, number], { id: number; user_id: number }>(
    'SELECT id, user_id FROM links WHERE trashed_at < ? ORDER BY trashed_at LIMIT ?',
  );
  const oldestTrashed = database
    .prepare<[number, number], number>(
      `SELECT id FROM links INDEXED BY links_trash_by_creator
       WHERE user_id = ? AND ifnull(created_by, user_id) = ? AND trashed_at IS NOT NULL ORDER BY trashed_at LIMIT 1`,
    )
    .pluck();
  const due = database.prepare<{ now: number; limit: number }, { id: number; user_id: number }>(
    `${dueSql} LIMIT @limit`,
  );

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
    /** The links under an alias, that on the instance's own URL first. */
    listByAlias: (userId: number, alias: string): LinkRow[] => byAliasAnywhere.all({ userId, alias }),
    /** The link that leads to a destination, active ones before archived ones. */
    findByDestination({ isSame, ...search }: DestinationSearch): LinkRow | undefined {
      const statement = search.creator === undefined ? byDestination : byDestinationOfOne;
      for (const archived of [0, 1] as const) {
        for (const { id, url } of statement.iterate({ ...search, archived })) {
          if (isSame(url)) return byId.get(id, search.userId);
        }
      }
      return undefined;
    },
    /** Permanently deletes a link; its metrics are deleted in the background (`clicks/deleted-links.ts`). */
    remove: (id: number): void => void remove.run(id),
    count: (userId: number): number => countAll.get(userId)?.total ?? 0,
    /** Links for which a planned day has come, some more than once. */
    due: (now: number, limit: number) => due.all({ now, limit }),
    trashedBefore: (at: number, limit: number) => expired.all(at, limit),
    /** What went to the trash first of what one person created in an account. */
    findOldestTrashed: (account: number, creator: number): number | undefined =>
      oldestTrashed.get(account, creator),
  };
}

export type LinkQueries = ReturnType<typeof linkQueries>;

/** The settable columns of a row, and nothing else. */
export function pickRecord(row: LinkRecord): LinkRecord {
  const entries = recordColumns.map((name) => [name, row[name]]);
  return Object.fromEntries(entries) as LinkRecord;
}

/** The searched text: composed and case-folded, one field per line. */
export function searchText({ alias, title, url, note }: LinkRecord): string {
  return caseFold([alias, title ?? '', url, note ?? ''].join('\n'));
}
