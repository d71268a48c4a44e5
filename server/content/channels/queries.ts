import { type ChannelItemType, channelItemTypes } from '../../contract/channels.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

export interface ChannelRow {
  id: number;
  name: string;
  description: string | null;
  color: string | null;
  starred: 0 | 1;
  count: number;
}

/** What can be set on a channel. */
export type ChannelRecord = Pick<ChannelRow, 'name' | 'description' | 'color' | 'starred'>;

/** Which thing an item of a channel is; what it looks like is known where it comes from. */
export interface ChannelItemRow {
  type: ChannelItemType;
  id: number;
}

/** A channel as it is kept after its deletion: its row, its links, and what else was in it. */
export interface RemovedChannel {
  row: ChannelRow & { created_at: number };
  links: number[];
  items: { type: 'bio' | 'qr'; item_id: number; created_at: number }[];
}

const columns = `id, name, description, color, starred,
  (SELECT count(*) FROM link_channels JOIN links ON links.id = link_id
   WHERE channel_id = channels.id AND links.trashed_at IS NULL)
  + (SELECT count(*) FROM channel_items WHERE channel_id = channels.id) AS count`;

/** SQL of channels. Links are in link_channels, everything else that a channel holds is in channel_items. */
export function channelQueries(database: Connection) {
  const condition = `user_id = @user AND (@q IS NULL OR instr(name_folded, @q) > 0) AND (@starred = 0 OR starred = 1)`;
  const countOf = database
    .prepare<[number], number>('SELECT count(*) FROM channels WHERE user_id = ?')
    .pluck();
  const count = database.prepare<[Record<string, unknown>], { total: number }>(
    `SELECT count(*) AS total FROM channels WHERE ${condition}`,
  );
  const list = database.prepare<[Record<string, unknown>], ChannelRow>(
    `SELECT ${columns} FROM channels WHERE ${condition} ORDER BY name_folded, id LIMIT @limit OFFSET @offset`,
  );
  const byId = database.prepare<[number, number], ChannelRow>(
    `SELECT ${columns} FROM channels WHERE id = ? AND user_id = ?`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    // A name that stays keeps its key, which may be that of migration 16.
    `UPDATE channels SET name = @name, name_folded = iif(name = @name, name_folded, @folded), description = @description, color = @color,
       starred = @starred
     WHERE id = @id`,
  );
  const remove = [
    'DELETE FROM link_channels WHERE channel_id = ?',
    'DELETE FROM channel_items WHERE channel_id = ?',
    'DELETE FROM channels WHERE id = ?',
  ].map((sql) => database.prepare<[number]>(sql));
  const everything = `SELECT 'links' AS type, links.id AS id, links.created_at AS at
     FROM link_channels JOIN links ON links.id = link_id
     WHERE channel_id = @channel AND links.trashed_at IS NULL
     UNION ALL
     SELECT type, item_id, created_at FROM channel_items WHERE channel_id = @channel`;
  const items = database.prepare<[Record<string, unknown>], ChannelItemRow>(
    `SELECT type, id FROM (${everything}) WHERE @type IS NULL OR type = @type
     ORDER BY at DESC, type, id DESC LIMIT @limit OFFSET @offset`,
  );
  const counts = database.prepare<[{ channel: number }], { type: ChannelItemType; count: number }>(
    `SELECT type, count(*) AS count FROM (${everything}) GROUP BY type`,
  );
  const rowToKeep = database.prepare<[number], RemovedChannel['row']>('SELECT * FROM channels WHERE id = ?');
  const linksToKeep = database
    .prepare<[number], number>('SELECT link_id FROM link_channels WHERE channel_id = ?')
    .pluck();
  const itemsToKeep = database.prepare<[number], RemovedChannel['items'][number]>(
    'SELECT type, item_id, created_at FROM channel_items WHERE channel_id = ?',
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO channels (id, user_id, name, name_folded, description, color, starred, created_at)
     VALUES (@id, @user, @name, @folded, @description, @color, @starred, @created_at)`,
  );
  const reassign = database.prepare<[number, number, number]>(
    `INSERT INTO link_channels (channel_id, link_id) SELECT ?, id FROM links WHERE id = ? AND user_id = ?
     ON CONFLICT DO NOTHING`,
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
  const putBack = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO channel_items (channel_id, type, item_id, created_at)
     SELECT id, @type, @item, @at FROM channels
     WHERE user_id = @user AND id IN (SELECT value FROM json_each(@channels))`,
  );
  const byName = database.prepare<[number, string], { id: number }>(
    'SELECT id FROM channels WHERE user_id = ? AND name_folded = ?',
  );
  const owned = database.prepare<[number, number], { id: number }>(
    'SELECT id FROM channels WHERE id = ? AND user_id = ?',
  );
  const insert = database.prepare<[ChannelRecord & { user: number; folded: string; at: number }]>(
    `INSERT INTO channels (user_id, name, name_folded, description, color, starred, created_at)
     VALUES (@user, @name, @folded, @description, @color, @starred, @at)`,
  );
  const assign = database.prepare<[number, number]>(
    'INSERT INTO link_channels (channel_id, link_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const unassign = database.prepare<[number, number]>(
    'DELETE FROM link_channels WHERE channel_id = ? AND link_id = ?',
  );
  const unassignAll = database.prepare<[number]>('DELETE FROM link_channels WHERE link_id = ?');
  return {
    count: (userId: number): number => countOf.get(userId) ?? 0,
    list(
      userId: number,
      filter: { q?: string | undefined; starred: boolean },
      page: { limit: number; offset: number },
    ): Page<ChannelRow> {
      const bound = {
        user: userId,
        q: filter.q === undefined ? null : caseFold(filter.q),
        starred: filter.starred ? 1 : 0,
        ...page,
      };
      return { rows: list.all(bound), total: count.get(bound)?.total ?? 0 };
    },
    find: (id: number, userId: number): ChannelRow | undefined => byId.get(id, userId),
    findByName: (userId: number, folded: string): number | undefined => byName.get(userId, folded)?.id,
    isOwned: (id: number, userId: number): boolean => owned.get(id, userId) !== undefined,
    insert: (userId: number, record: ChannelRecord, folded: string, at: number): number =>
      Number(insert.run({ ...record, user: userId, folded, at }).lastInsertRowid),
    update: (id: number, record: ChannelRecord): void =>
      void update.run({ ...record, folded: caseFold(record.name), id }),
    /** Takes everything out of the channel and removes it. Runs inside a transaction of the caller. */
    remove(id: number): void {
      for (const statement of remove) statement.run(id);
    },
    /** What is in a channel, newest first; of one type where it is named. */
    listItems: (
      id: number,
      type: ChannelItemType | undefined,
      page: { limit: number; offset: number },
    ): ChannelItemRow[] => items.all({ channel: id, type: type ?? null, ...page }),
    /** How many things of each type are in a channel. */
    countItems(id: number): Record<ChannelItemType, number> {
      const found = new Map(counts.all({ channel: id }).map(({ type, count: number }) => [type, number]));
      return Object.fromEntries(channelItemTypes.map((type) => [type, found.get(type) ?? 0])) as Record<
        ChannelItemType,
        number
      >;
    },
    /** Everything that `reinsert` needs. */
    contentOf(id: number): RemovedChannel | undefined {
      const row = rowToKeep.get(id);
      return row && { row, links: linksToKeep.all(id), items: itemsToKeep.all(id) };
    },
    /** Puts a removed channel back under its id, with the links and those of the other `items` that are still there. */
    reinsert({ row, links, items: others }: RemovedChannel, userId: number): void {
      const { id, name, description, color, starred, created_at } = row;
      const folded = caseFold(name);
      reinsert.run({ id, name, folded, description, color, starred, created_at, user: userId });
      for (const link of links) reassign.run(id, link, userId);
      for (const item of others) assignItem.run(id, item.type, item.item_id, item.created_at);
    },
    assignItem: (channelId: number, type: 'bio' | 'qr', id: number, createdAt: number): void =>
      void assignItem.run(channelId, type, id, createdAt),
    unassignItem: (channelId: number, type: 'bio' | 'qr', id: number): void =>
      void unassignItem.run(channelId, type, id),
    /** Ids of the channels that a thing is in. */
    placesOf: (type: 'bio' | 'qr', id: number): number[] => placesOf.all(type, id),
    /** Puts a thing that came back into those of the channels that are still there. */
    putBack: (
      type: 'bio' | 'qr',
      thing: { id: number; user_id: number; created_at: number },
      channels: readonly number[],
    ): void =>
      void putBack.run({
        type,
        item: thing.id,
        at: thing.created_at,
        user: thing.user_id,
        channels: JSON.stringify(channels),
      }),
    assignLink: (channelId: number, linkId: number): boolean => assign.run(channelId, linkId).changes > 0,
    unassignLink: (channelId: number, linkId: number): boolean => unassign.run(channelId, linkId).changes > 0,
    /** Replaces the channels of a link. */
    setForLink(linkId: number, channelIds: readonly number[]): void {
      unassignAll.run(linkId);
      for (const id of channelIds) assign.run(id, linkId);
    },
  };
}

export type ChannelQueries = ReturnType<typeof channelQueries>;
