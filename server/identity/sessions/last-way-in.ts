import type { Connection } from '../../platform/database/connect.ts';
import { rejected } from '../../platform/errors.ts';

/**
 * Returns a check that throws 400 `last_way_in` if a passkey or an identity is all that its owner can sign in with: who
 * came by single sign-on may have no password, and would be locked out without a word.
 */
export function lastWayIn(database: Connection): (userId: number) => void {
  const hasAnother = database
    .prepare<[number], 0 | 1>(
      `SELECT password_hash <> '' OR (SELECT count(*) FROM passkeys WHERE user_id = users.id)
         + (SELECT count(*) FROM identities WHERE user_id = users.id) > 1
       FROM users WHERE id = ?`,
    )
    .pluck();
  return (userId) => {
    if (hasAnother.get(userId) === 1) return;
    throw rejected(
      'last_way_in',
      undefined,
      'This is the only way you can sign in. Set a password or add another way first.',
    );
  };
}
