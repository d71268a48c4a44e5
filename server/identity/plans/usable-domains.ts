import type { Connection } from '../../platform/database/connect.ts';

export interface UsableDomainRow {
  id: number;
  user_id: number | null;
  host: string;
}

/** The domain that a host is taken by. */
export interface HolderRow {
  id: number;
  user_id: number | null;
  removed_at: number | null;
}

/** The plan of a user now: one that has run out is the free plan (decision 0010). */
const currentPlan = `(SELECT CASE WHEN plan_expires_at <= @now
    THEN (SELECT id FROM plans WHERE free = 1 ORDER BY id LIMIT 1) ELSE plan_id END
  FROM users WHERE id = @user)`;

/** A user's own domains, and the platform domains (without an owner) that the plan of the user includes. */
export const usableCondition = `domains.removed_at IS NULL AND (user_id = @user OR (user_id IS NULL AND (
    NOT EXISTS (SELECT 1 FROM domain_plans WHERE domain_id = domains.id)
    OR EXISTS (SELECT 1 FROM domain_plans WHERE domain_id = domains.id AND plan_id = ${currentPlan}))))`;

/** What other features ask about branded domains. */
export function domainQueries(database: Connection, now: () => number) {
  const usable = database.prepare<[Record<string, unknown>], UsableDomainRow>(
    `SELECT id, user_id, host FROM domains WHERE id = @id AND ${usableCondition}`,
  );
  const usableByHost = database.prepare<[Record<string, unknown>], UsableDomainRow>(
    `SELECT id, user_id, host FROM domains WHERE host = @host AND ${usableCondition}`,
  );
  const holder = database.prepare<[string], HolderRow>(
    'SELECT id, user_id, removed_at FROM domains WHERE host = ?',
  );
  // A host behind a shared proxy belongs to nobody until ownership is proved; one that resolves to us does anyway.
  const leading = database
    .prepare<[string], number>(
      "SELECT 1 FROM domains WHERE host = ? AND (lapses_at IS NULL OR dns_type = 'direct')",
    )
    .pluck();
  return {
    findUsable: (id: number, user: number): UsableDomainRow | undefined =>
      usable.get({ id, user, now: now() }),
    findUsableByHost: (host: string, user: number): UsableDomainRow | undefined =>
      usableByHost.get({ host, user, now: now() }),
    /** Who has a host or claims it; also one that is being removed. */
    findHolder: (host: string): HolderRow | undefined => holder.get(host),
    /** Whether a host points to this instance; a claimed one does not. */
    leadsHere: (host: string): boolean => leading.get(host) !== undefined,
  };
}

export type DomainQueries = ReturnType<typeof domainQueries>;
