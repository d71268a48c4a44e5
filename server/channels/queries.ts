import type { Connection } from '../database/connect.ts';
import type { Page } from '../http/pagination.ts';

export interface ChannelRow {
  id: number;
  name: string;
  description: string | null;
  color: string | null;
  starred: 0 | 1;
  count: number;
}

/** SQL of channels. */
export function channelQueries(database: Connection) {
  const condition = `user_id = @user AND (@q IS NULL OR instr(name_folded, @q) > 0) AND (@starred = 0 OR starred = 1)`;
  const count = database.prepare<[Record<string, unknown>], { total: number }>(
    `SELECT count(*) AS total FROM channels WHERE ${condition}`,
  );
  const list = database.prepare<[Record<string, unknown>], ChannelRow>(
    `SELECT id, name, description, color, starred,
       (SELECT count(*) FROM link_channels JOIN links ON links.id = link_id
        WHERE channel_id = channels.id AND links.trashed_at IS NULL) AS count
     FROM channels WHERE ${condition} ORDER BY name_folded, id LIMIT @limit OFFSET @offset`,
  );
  const byName = database.prepare<[number, string], { id: number }>(
    'SELECT id FROM channels WHERE user_id = ? AND name_folded = ?',
  );
  const owned = database.prepare<[number, number], { id: number }>(
    'SELECT id FROM channels WHERE id = ? AND user_id = ?',
  );
  const insert = database.prepare<[number, string, string, number]>(
    'INSERT INTO channels (user_id, name, name_folded, created_at) VALUES (?, ?, ?, ?)',
  );
  const assign = database.prepare<[number, number]>(
    'INSERT INTO link_channels (channel_id, link_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const unassign = database.prepare<[number, number]>(
    'DELETE FROM link_channels WHERE channel_id = ? AND link_id = ?',
  );
  const unassignAll = database.prepare<[number]>('DELETE FROM link_channels WHERE link_id = ?');
  return {
    list(
      userId: number,
      filter: { q?: string | undefined; starred: boolean },
      page: { limit: number; offset: number },
    ): Page<ChannelRow> {
      const bound = {
        user: userId,
        q: filter.q?.toLowerCase() ?? null,
        starred: filter.starred ? 1 : 0,
        ...page,
      };
      return { rows: list.all(bound), total: count.get(bound)?.total ?? 0 };
    },
    findByName: (userId: number, folded: string): number | undefined => byName.get(userId, folded)?.id,
    isOwned: (id: number, userId: number): boolean => owned.get(id, userId) !== undefined,
    insert: (userId: number, name: string, folded: string, at: number): number =>
      Number(insert.run(userId, name, folded, at).lastInsertRowid),
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
