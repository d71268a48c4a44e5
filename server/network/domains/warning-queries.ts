import type { Connection } from '../../platform/database/connect.ts';

/** Somebody who looks after the domains of an account. */
interface Keeper {
  id: number;
  email: string;
  language: string;
}

/** A domain whose trouble nobody was told of. */
interface UntoldDomain {
  id: number;
  host: string;
  user_id: number | null;
  /** The end of its certificate; null where the DNS is at fault. */
  until: string | null;
  isOver: 0 | 1;
}

/** Domains that are told of again in one run. */
const mostUntold = 100;
/** Whoever can mend something is told; a team of hundreds of administrators is not. */
const mostKeepers = 20;

/** SQL of the people who are told of trouble with the domains of an account. */
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
  const noteUntold = database.prepare<[number, string | null]>(
    'INSERT INTO untold_domains (domain_id, until) VALUES (?, ?) ON CONFLICT (domain_id) DO UPDATE SET until = excluded.until',
  );
  const forgetUntold = database.prepare<[number]>('DELETE FROM untold_domains WHERE domain_id = ?');
  const untold = database.prepare<[number], UntoldDomain>(
    `SELECT id, host, user_id, until,
       NOT (active = 1 AND removed_at IS NULL AND iif(until IS NULL, dns_status = 0, certificate_failure_count >= ?)) AS isOver
     FROM untold_domains JOIN domains ON id = domain_id ORDER BY id LIMIT ${mostUntold}`,
  );
  return {
    noteUntold: (id: number, until: string | null): void => void noteUntold.run(id, until),
    forgetUntold: (id: number): void => void forgetUntold.run(id),
    /** Some domains whose trouble nobody was told of; renewals that failed less often in a row are none. */
    listUntold: (failedRenewals: number): UntoldDomain[] => untold.all(failedRenewals),
    /** Ids of those who asked to be told: the person, or who administers the team. */
    keepersOf: (account: number): number[] => keepers.all({ account }),
    /** Undefined for somebody who asked not to be told by now. */
    findKeeper: (id: number): Keeper | undefined => keeper.get(id),
  };
}

export type DomainWarningQueries = ReturnType<typeof domainWarningQueries>;
