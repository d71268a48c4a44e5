import type { Connection } from '../../platform/database/connect.ts';
import type { Omissions } from '../clicks/omissions.ts';

/** The maximum number of hosts reported to an account. */
const mostHosts = 100;

/** SQL of the data that accounts choose not to store. */
export function privacyQueries(database: Connection) {
  const find = database.prepare<[number], number>('SELECT privacy FROM users WHERE id = ?').pluck();
  const update = database.prepare<[number, number]>('UPDATE users SET privacy = ? WHERE id = ?');
  const hosts = database
    .prepare<[number, number], string>(
      'SELECT host FROM domains WHERE user_id = ? AND active = 1 AND removed_at IS NULL ORDER BY id LIMIT ?',
    )
    .pluck();
  return {
    find: (userId: number): Omissions => find.get(userId) ?? 0,
    update: (userId: number, omissions: Omissions) => void update.run(omissions, userId),
    hosts: (userId: number): string[] => hosts.all(userId, mostHosts),
  };
}
