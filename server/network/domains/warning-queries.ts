import type { Connection } from '../../platform/database/connect.ts';

/** A person responsible for an account's domains. */
interface Keeper {
  id: number;
  email: string;
  language: string;
}

/** A domain with an unreported problem. */
interface UntoldDomain {
  id: number;
  host: string;
  user_id: number | null;
  /** The end of its certificate; null where the DNS is at fault. */
  until: string | null;
  isOver: 0 | 1;
}

/** Domains that are reported again per run. */
const mostUntold = 100;
/** Only people who can fix it are notified, and not hundreds of administrators of a team. */
const mostKeepers = 20;

/** SQL of the people who are notified of problems with an account's domains. */
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
    /** Some domains with unreported problems; fewer consecutive failed renewals do not count. */
    listUntold: (failedRenewals: number): UntoldDomain[] => untold.all(failedRenewals),
    /** Ids of people who want to be notified: the person, or the team's administrators. */
    keepersOf: (account: number): number[] => keepers.all({ account }),
    /** Undefined for people who no longer want to be notified. */
    findKeeper: (id: number): Keeper | undefined => keeper.get(id),
  };
}

export type DomainWarningQueries = ReturnType<typeof domainWarningQueries>;
