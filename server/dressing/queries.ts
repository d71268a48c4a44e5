import type { Connection } from '../database/connect.ts';

/** SQL of the links that overlays and splash pages stand before. */
export function dressingQueries(database: Connection) {
  const detach = database.prepare<[number, string]>(
    `UPDATE links SET type = 'direct' WHERE user_id = ? AND type = ? AND type <> 'direct'`,
  );
  return {
    /** Lets the links of a type lead straight to their destinations. */
    detach: (userId: number, type: string): void => void detach.run(userId, type),
  };
}

export type DressingQueries = ReturnType<typeof dressingQueries>;
