import { type ChannelItemType, channelItemTypes } from '../../contract/channels.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { channelsBelow } from '../../visits/stats/channels-below.ts';

export interface ChannelRow {
  id: number;
  name: string;
  description: string | null;
  color: string | null;
  starred: 0 | 1;
  created_at: number;
  count: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** What can be set on a channel. */
export type ChannelRecord = Pick<ChannelRow, 'name' | 'description' | 'color' | 'starred'>;

/** A reference to a channel's item; its own resource presents it. */
export interface ChannelItemRow {
  type: ChannelItemType;
  id: number;
}

/** A channel in the trash. */
export interface TrashedChannel {
  row: ChannelRow;
}

const columns = `id, name, description, color, starred, version, created_by, updated_by, created_at,
  ifnull((SELECT links FROM channel_counts WHERE channel_id = channels.id), 0)
  + (SELECT count(*) FROM channel_items WHERE channel_id = channels.id) AS count`;

const condition = `user_id = @user AND leaving = 0 AND (@q IS NULL OR instr(name_folded, @q) > 0) AND (@starred = 0 OR starred = 1)
  AND (@member IS NULL OR ifnull(created_by, user_id) = @member)`;
const listSql = {
  rows: `SELECT ${columns} FROM channels WHERE ${condition} ORDER BY name_folded, id LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM channels WHERE ${condition}`,
};
/** Conditions of what one person created, for anyone who sees nothing else. */
const ownLinks = 'AND (SELECT ifnull(created_by, user_id) FROM links WHERE id = link_id) = @member';
const ownOthers = `AND CASE type WHEN 'bio' THEN (SELECT ifnull(created_by, user_id) FROM bio_pages WHERE id = item_id)
  ELSE (SELECT ifnull(created_by, user_id) FROM qr_codes WHERE id = item_id) END = @member`;
const linksOfChannel = `SELECT 'links' AS type, link_id AS id, created_at AS at FROM link_channels
  WHERE channel_id = @channel AND live = 1`;
const othersOfChannel =
  'SELECT type, item_id AS id, created_at AS at FROM channel_items WHERE channel_id = @channel';
const page = 'LIMIT @limit OFFSET @offset';
/** The items of a channel, newest first: all, only links, or only another type. */
const itemsSql = (type: ChannelItemType | undefined, isOwn: boolean): string => {
  const [links, others] = isOwn
    ? [`${linksOfChannel} ${ownLinks}`, `${othersOfChannel} ${ownOthers}`]
    : [linksOfChannel, othersOfChannel];
  if (type === 'links') return `${links} ORDER BY at DESC, id DESC ${page}`;
  return type === undefined
    ? `${links} UNION ALL ${others} ORDER BY at DESC, id DESC, type ${page}`
    : `${others} AND type = @type ORDER BY at DESC, id DESC ${page}`;
};
/** The same of a channel and those below it, each thing once. */
const nestedItemsSql = (isOwn: boolean): string => `SELECT DISTINCT type, id, at FROM (
    SELECT 'links' AS type, link_id AS id, created_at AS at FROM link_channels
      WHERE channel_id IN (${channelsBelow}) AND live = 1 ${isOwn ? ownLinks : ''}
    UNION ALL SELECT type, item_id, created_at FROM channel_items
      WHERE channel_id IN (${channelsBelow}) ${isOwn ? ownOthers : ''})
  WHERE @type IS NULL OR type = @type`;
const nestedSql = (isOwn: boolean) => ({
  rows: `${nestedItemsSql(isOwn)} ORDER BY at DESC, id DESC, type ${page}`,
  total: `SELECT count(*) AS total FROM (${nestedItemsSql(isOwn)})`,
});
const countsSql = `SELECT 'links' AS type, links AS count FROM channel_counts WHERE channel_id = @channel
  UNION ALL SELECT type, count(*) FROM channel_items WHERE channel_id = @channel GROUP BY type`;
const chosen = 'channel_id IN (SELECT value FROM json_each(@channels))';
const ownCountsSql = `SELECT channel_id AS channel, 'links' AS type, count(*) AS count FROM link_channels
    WHERE ${chosen} AND live = 1 ${ownLinks} GROUP BY channel_id
  UNION ALL SELECT channel_id, type, count(*) FROM channel_items WHERE ${chosen} ${ownOthers} GROUP BY channel_id, type`;

interface OwnCount {
  channel: number;
  type: ChannelItemType;
  count: number;
}

/** The lists of channels, read in the reader's thread. */
export function channelLists(reader: Reader) {
  return {
    list: (
      user: number,
      { q, starred }: { q?: string | undefined; starred: boolean },
      page: ListPage,
    ): Promise<Page<ChannelRow>> =>
      reader.page(listSql, {
        user,
        q: q === undefined ? null : caseFold(q),
        starred: starred ? 1 : 0,
        ...page,
      }),
    /** The items of a channel, newest first; of one type if given. */
    async listItems(
      channel: number,
      type: ChannelItemType | undefined,
      page: ListPage,
    ): Promise<ChannelItemRow[]> {
      const sql = itemsSql(type, page.member !== null);
      const [rows = []] = await reader.read([{ sql, values: [{ channel, type, ...page }] }]);
      return rows as unknown as ChannelItemRow[];
    },
    /** The same of a channel of an account and those below it, and how many things that is. */
    listNested: (
      user: number,
      channel: number,
      type: ChannelItemType | undefined,
      page: ListPage,
    ): Promise<Page<ChannelItemRow>> =>
      reader.page(nestedSql(page.member !== null), { user, channel, type: type ?? null, ...page }),
    /** How many items of each type created by a person are in channels. */
    async ownCounts(
      channels: readonly number[],
      member: number,
    ): Promise<Map<number, Record<ChannelItemType, number>>> {
      const values = [{ channels: JSON.stringify(channels), member }];
      const [rows = []] = await reader.read([{ sql: ownCountsSql, values }]);
      const counts = new Map(channels.map((id) => [id, { links: 0, bio: 0, qr: 0 }]));
      for (const { channel, type, count } of rows as unknown as OwnCount[]) {
        const known = counts.get(channel);
        if (known) known[type] = count;
      }
      return counts;
    },
  };
}

export type ChannelLists = ReturnType<typeof channelLists>;

/** SQL of channels. Links are in link_channels, everything else that a channel holds is in channel_items. */
export function channelQueries(database: Connection) {
  const countOf = database
    .prepare<[number], number>('SELECT count(*) FROM channels WHERE user_id = ? AND leaving = 0')
    .pluck();
  const byId = database.prepare<[number, number], ChannelRow>(
    `SELECT ${columns} FROM channels WHERE id = ? AND user_id = ? AND leaving = 0`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    // A name that stays keeps its key, which may be that of migration 16.
    `UPDATE channels SET name = @name, name_folded = iif(name = @name, name_folded, @folded), description = @description, color = @color,
       starred = @starred
     WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM channels WHERE id = ?');
  const counts = database.prepare<[{ channel: number }], { type: ChannelItemType; count: number }>(countsSql);
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO channels (id, user_id, name, name_folded, description, color, starred, created_at)
     VALUES (@id, @user, @name, @folded, @description, @color, @starred, @created_at)`,
  );
  const assignItem = database.prepare<[number, string, number, number]>(
    `INSERT INTO channel_items (channel_id, type, item_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const unassignItem = database.prepare<[number, string, number]>(
    'DELETE FROM channel_items WHERE channel_id = ? AND type = ? AND item_id = ?',
  );
  const placesOf = database
    .prepare<[string, number], number>('SELECT channel_id FROM channel_items WHERE type = ? AND item_id = ?')
    .pluck();
  const restoreMembership = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO channel_items (channel_id, type, item_id, created_at)
     SELECT id, @type, @item, @at FROM channels
     WHERE user_id = @user AND leaving = 0 AND id IN (SELECT value FROM json_each(@channels))`,
  );
  const byName = database.prepare<[number, string], { id: number }>(
    'SELECT id FROM channels WHERE user_id = ? AND name_folded = ?',
  );
  const owned = database.prepare<[number, number], { id: number }>(
    'SELECT id FROM channels WHERE id = ? AND user_id = ? AND leaving = 0',
  );
  const insert = database.prepare<[ChannelRecord & { user: number; folded: string; at: number }]>(
    `INSERT INTO channels (user_id, name, name_folded, description, color, starred, created_at)
     VALUES (@user, @name, @folded, @description, @color, @starred, @at)`,
  );
  const assign = database.prepare<[number, number]>(
    `INSERT INTO link_channels (channel_id, link_id, live, created_at)
     SELECT ?, id, trashed_at IS NULL, created_at FROM links WHERE id = ? ON CONFLICT DO NOTHING`,
  );
  const countOfLink = database
    .prepare<[number], number>('SELECT count(*) FROM link_channels WHERE link_id = ?')
    .pluck();
  const unassign = database.prepare<[number, number]>(
    'DELETE FROM link_channels WHERE channel_id = ? AND link_id = ?',
  );
  const unassignOthers = database.prepare<[number, string]>(
    'DELETE FROM link_channels WHERE link_id = ? AND channel_id NOT IN (SELECT value FROM json_each(?))',
  );
  return {
    count: (userId: number): number => countOf.get(userId) ?? 0,
    find: (id: number, userId: number): ChannelRow | undefined => byId.get(id, userId),
    findByName: (userId: number, folded: string): number | undefined => byName.get(userId, folded)?.id,
    isOwned: (id: number, userId: number): boolean => owned.get(id, userId) !== undefined,
    insert: (userId: number, record: ChannelRecord, folded: string, at: number): number =>
      Number(insert.run({ ...record, user: userId, folded, at }).lastInsertRowid),
    update: (id: number, record: ChannelRecord): void =>
      void update.run({ ...record, folded: caseFold(record.name), id }),
    remove: (id: number): void => void remove.run(id),
    /** How many things of each type are in a channel. */
    countItems(id: number): Record<ChannelItemType, number> {
      const found = new Map(counts.all({ channel: id }).map(({ type, count: number }) => [type, number]));
      return Object.fromEntries(channelItemTypes.map((type) => [type, found.get(type) ?? 0])) as Record<
        ChannelItemType,
        number
      >;
    },
    /** Puts a removed channel back under its id. */
    reinsert({ id, name, description, color, starred, created_at }: ChannelRow, user: number): void {
      reinsert.run({ id, name, folded: caseFold(name), description, color, starred, created_at, user });
    },
    assignItem: (channelId: number, type: 'bio' | 'qr', id: number, createdAt: number): void =>
      void assignItem.run(channelId, type, id, createdAt),
    unassignItem: (channelId: number, type: 'bio' | 'qr', id: number): void =>
      void unassignItem.run(channelId, type, id),
    /** Ids of the channels that a thing is in. */
    placesOf: (type: 'bio' | 'qr', id: number): number[] => placesOf.all(type, id),
    /** Puts a thing that came back into those of the channels that are still there. */
    restoreMembership: (
      type: 'bio' | 'qr',
      thing: { id: number; user_id: number; created_at: number },
      channels: readonly number[],
    ): void =>
      void restoreMembership.run({
        type,
        item: thing.id,
        at: thing.created_at,
        user: thing.user_id,
        channels: JSON.stringify(channels),
      }),
    assignLink: (channelId: number, linkId: number): boolean => assign.run(channelId, linkId).changes > 0,
    /** How many channels a link is in. */
    countOfLink: (linkId: number): number => countOfLink.get(linkId) ?? 0,
    unassignLink: (channelId: number, linkId: number): boolean => unassign.run(channelId, linkId).changes > 0,
    /** Replaces the channels of a link. */
    setForLink(linkId: number, channelIds: readonly number[]): void {
      unassignOthers.run(linkId, JSON.stringify(channelIds));
      for (const id of channelIds) assign.run(id, linkId);
    },
  };
}

export type ChannelQueries = ReturnType<typeof channelQueries>;
