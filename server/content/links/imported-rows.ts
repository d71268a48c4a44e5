import { createHash } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';

const storedBytes = 16;
/** Tokens kept per link; the oldest is deleted first. */
const tokensPerLink = 50;

/**
 * Remembers which rows created or updated a link, as long as the link exists: a row that is sent again after a lost
 * response may have no alias to recognize it by.
 */
export function importedRows(database: Connection) {
  const find = database
    .prepare<[number, Buffer], number>('SELECT link_id FROM import_tokens WHERE user_id = ? AND token = ?')
    .pluck();
  const note = database.prepare<[{ link: number; user: number; token: Buffer }]>(
    `INSERT OR REPLACE INTO import_tokens (user_id, token, link_id, number)
     SELECT @user, @token, @link, ifnull(max(number), 0) + 1 FROM import_tokens WHERE link_id = @link`,
  );
  const forgetOldest = database.prepare<[{ link: number }]>(
    `DELETE FROM import_tokens WHERE link_id = @link AND number <=
       (SELECT max(number) FROM import_tokens WHERE link_id = @link) - ${tokensPerLink}`,
  );
  return {
    linkOf: (userId: number, token: string): number | undefined => find.get(userId, stored(token)),
    note(user: number, token: string, link: number): void {
      note.run({ user, token: stored(token), link });
      forgetOldest.run({ link });
    },
  };
}

export type ImportedRows = ReturnType<typeof importedRows>;

function stored(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, storedBytes);
}
