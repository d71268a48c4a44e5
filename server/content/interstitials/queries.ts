import type { Connection } from '../../platform/database/connect.ts';

/** SQL of the links that overlays and splash pages stand before. */
export function interstitialQueries(database: Connection) {
  const detach = database.prepare<[number, string]>(
    `UPDATE links SET type = 'direct' WHERE user_id = ? AND type = ? AND type <> 'direct'`,
  );
  const links = database
    .prepare<[number, string], number>(
      `SELECT id FROM links WHERE user_id = ? AND type = ? AND type <> 'direct'`,
    )
    .pluck();
  const attach = database.prepare<[string, number, string]>(
    `UPDATE links SET type = ?
     WHERE user_id = ? AND type = 'direct' AND id IN (SELECT value FROM json_each(?))`,
  );
  return {
    /** Ids of the links of a type, those in the trash included. */
    linkIds: (userId: number, type: string): number[] => links.all(userId, type),
    /** Gives a type to those links that still lead straight to their destinations. */
    attach: (userId: number, type: string, linkIds: readonly number[]): void =>
      void attach.run(type, userId, JSON.stringify(linkIds)),
    /** Lets the links of a type lead straight to their destinations. */
    detach: (userId: number, type: string): void => void detach.run(userId, type),
  };
}

export type InterstitialQueries = ReturnType<typeof interstitialQueries>;
