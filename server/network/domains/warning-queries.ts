import type { Connection } from '../../platform/database/connect.ts';

/** Somebody who looks after the domains of an account. */
interface Keeper {
  id: number;
  email: string;
  language: string;
}

/** Whoever can mend something is told; a team of hundreds of administrators is not. */
const mostKeepers = 20;

/** SQL of who is told of trouble with the domains of an account. */
export function domainWarningQueries(database: Connection) {
  const keepers = database
    .prepare<[{ account: number }], number>(
      `SELECT users.id FROM users WHERE users.active = 1 AND users.removed_at IS NULL AND users.domains_email = 1
         AND users.kind = 'person' AND (users.id = @account OR users.id IN (
           SELECT person_id FROM members WHERE team_id = @account AND role IN ('owner', 'admin')))
       ORDER BY users.id LIMIT ${mostKeepers}`,
    )
    .pluck();
  const keeper = database.prepare<[number], Keeper>(
    `SELECT id, email, language FROM users
     WHERE id = ? AND active = 1 AND removed_at IS NULL AND domains_email = 1 AND kind = 'person'`,
  );
  return {
    /** Ids of those who asked to be told: the person, or who administers the team. */
    keepersOf: (account: number): number[] => keepers.all({ account }),
    /** Undefined for somebody who asked not to be told by now. */
    findKeeper: (id: number): Keeper | undefined => keeper.get(id),
  };
}

export type DomainWarningQueries = ReturnType<typeof domainWarningQueries>;
