import type { Connection } from '../../platform/database/connect.ts';
import { type DomainRow, domainColumns } from './record-queries.ts';

/** A time beyond every regular schedule: a row with a later one was written while the clock was ahead (F-07). */
const furthest = 25 * 3_600_000;

/** A domain that needs a certificate; `isNew` when it has none yet. */
export interface DueCertificate {
  id: number;
  host: string;
  user_id: number | null;
  isNew: 0 | 1;
}

/**
 * SQL of the domain job. Every write is an UPDATE by id that reports whether the domain still existed, so that a
 * domain deleted meanwhile is never recreated.
 */
export function domainSyncQueries(database: Connection) {
  // Working domains have priority over unverified claims.
  const dueChecks = database.prepare<[Record<string, unknown>], { id: number; host: string }>(
    `SELECT id, host FROM domains
     WHERE disabled = 0 AND removed_at IS NULL AND (next_check_at IS NULL OR next_check_at <= @now OR next_check_at > @now + ${furthest})
     ORDER BY lapses_at IS NOT NULL, next_check_at`,
  );
  // Renewals first: working domains must keep working. New ones alternate between accounts, so that many hosts of one
  // do not delay others.
  const dueCertificates = database.prepare<[Record<string, unknown>], DueCertificate>(
    `SELECT id, host, user_id, certificate_expires_at IS NULL AS isNew FROM domains
     WHERE active = 1 AND removed_at IS NULL AND dns_status = 1
       AND (ssl_status = 0 OR certificate_expires_at IS NULL OR certificate_expires_at <= @now + @before
         OR (certificate_url IS NULL) = @acme)
       AND (next_certificate_at IS NULL OR next_certificate_at <= @now OR next_certificate_at > @now + ${furthest})
     ORDER BY certificate_expires_at IS NULL, certificate_expires_at,
       row_number() OVER (PARTITION BY user_id, certificate_expires_at IS NULL ORDER BY id), id`,
  );
  const hosts = database.prepare<[], { id: number; host: string; ssl_status: 0 | 1 }>(
    'SELECT id, host, ssl_status FROM domains WHERE removed_at IS NULL',
  );
  const byId = database.prepare<[number], DomainRow>(
    `SELECT ${domainColumns} FROM domains WHERE id = ? AND removed_at IS NULL`,
  );
  const passed = database.prepare<[Record<string, unknown>]>(
    `UPDATE domains SET dns_type = @type, dns_status = 1, resolved_ip = @address, dns_checked_at = @now,
       dns_failure_count = 0, next_check_at = @next
     WHERE id = @id`,
  );
  const failed = database.prepare<[Record<string, unknown>]>(
    `UPDATE domains SET dns_status = 0, resolved_ip = @address, dns_checked_at = @now,
       dns_failure_count = dns_failure_count + 1, next_check_at = @next
     WHERE id = @id`,
  );
  // The last good state is kept: no response says nothing about the domain (F-11).
  const unanswered = database.prepare<[Record<string, unknown>]>(
    `UPDATE domains SET dns_checked_at = @now, dns_failure_count = dns_failure_count + 1, next_check_at = @next
     WHERE id = @id`,
  );
  const activate = database.prepare<[number]>(
    `UPDATE domains SET active = 1 - disabled, server_synced = 1
     WHERE id = ? AND server_synced = 0 AND lapses_at IS NULL AND removed_at IS NULL`,
  );
  const setNext = database.prepare<[number, number]>('UPDATE domains SET next_check_at = ? WHERE id = ?');
  const certified = database.prepare<[Record<string, unknown>]>(
    `UPDATE domains SET ssl_status = 1, certificate_expires_at = @expires, certificate_url = @url,
       certificate_failure_count = 0, next_certificate_at = NULL
     WHERE id = @id`,
  );
  const notCertified = database.prepare<[Record<string, unknown>]>(
    `UPDATE domains SET certificate_failure_count = certificate_failure_count + @failures, next_certificate_at = @next
     WHERE id = @id`,
  );
  const revoked = database.prepare<[number]>(
    `UPDATE domains SET ssl_status = 0, certificate_expires_at = NULL, certificate_url = NULL, next_certificate_at = NULL
     WHERE id = ?`,
  );
  const setAllSsl = database.prepare<[{ status: 0 | 1 }]>(
    `UPDATE domains SET ssl_status = @status, certificate_expires_at = NULL, certificate_url = NULL,
       next_certificate_at = NULL, certificate_failure_count = 0
     WHERE (active = 1 AND ssl_status <> @status) OR certificate_expires_at IS NOT NULL`,
  );
  const proved = database.prepare<[{ id: number; at: number }]>(
    'UPDATE domains SET lapses_at = NULL, proof_failure_count = 0, next_check_at = @at WHERE id = @id',
  );
  const unproved = database.prepare<[{ id: number; next: number }]>(
    'UPDATE domains SET proof_failure_count = proof_failure_count + 1, next_check_at = @next WHERE id = @id',
  );
  const lapsed = database.prepare<[number], { id: number }>(
    'SELECT id FROM domains WHERE lapses_at <= ? AND removed_at IS NULL ORDER BY id LIMIT 100',
  );
  const accounts = database
    .prepare<[], number>('SELECT count(*) FROM users WHERE removed_at IS NULL')
    .pluck();
  const ordersSince = database.prepare<[number, number], { count: number; first: number | null }>(
    'SELECT count(*) AS count, min(at) AS first FROM certificate_orders WHERE at > ? AND at <= ?',
  );
  const ordersOf = database.prepare<[number, number, number], { count: number; first: number | null }>(
    'SELECT count(*) AS count, min(at) AS first FROM certificate_orders WHERE at > ? AND at <= ? AND user_id = ?',
  );
  const addOrder = database.prepare<[number, number | null]>(
    'INSERT INTO certificate_orders (at, user_id) VALUES (?, ?)',
  );
  const forgetOrders = database.prepare<[number]>('DELETE FROM certificate_orders WHERE at <= ?');

  return {
    listDueChecks: (now: number) => dueChecks.all({ now }),
    /** Active domains whose certificate is missing, ends within `before` milliseconds, or is of the other kind. */
    listDueCertificates: (now: number, before: number, acme: boolean) =>
      dueCertificates.all({ now, before, acme: acme ? 1 : 0 }),
    listHosts: (): { id: number; host: string; ssl_status: 0 | 1 }[] => hosts.all(),
    find: (id: number): DomainRow | undefined => byId.get(id),
    setPassed: (id: number, values: { type: string; address: string; now: number; next: number }): boolean =>
      passed.run({ ...values, id }).changes === 1,
    setFailed: (id: number, values: { address: string | null; now: number; next: number }): boolean =>
      failed.run({ ...values, id }).changes === 1,
    setUnanswered: (id: number, values: { now: number; next: number }): boolean =>
      unanswered.run({ ...values, id }).changes === 1,
    /** True when this was what activated it. */
    activate: (id: number): boolean => activate.run(id).changes === 1,
    setNextCheck: (id: number, next: number): void => void setNext.run(next, id),
    setCertified: (id: number, expires: number | null, url: string | null): boolean =>
      certified.run({ id, expires, url }).changes === 1,
    setNotCertified: (id: number, next: number, failures: 0 | 1): boolean =>
      notCertified.run({ id, next, failures }).changes === 1,
    setRevoked: (id: number): boolean => revoked.run(id).changes === 1,
    /**
     * Certificates that are not ours to keep: with a proxy in front every active domain has one, with none no one has.
     */
    setAllSsl: (status: 0 | 1): void => void setAllSsl.run({ status }),
    setProved: (id: number, at: number): void => void proved.run({ id, at }),
    setUnproved: (id: number, next: number): void => void unproved.run({ id, next }),
    /** Some claims that were not verified in time. */
    listLapsed: (now: number): { id: number }[] => lapsed.all(now),
    countAccounts: (): number => accounts.get() ?? 0,
    ordersSince: (since: number, now: number) => ordersSince.get(since, now) ?? { count: 0, first: null },
    /** The same for the domains of one account. */
    ordersOf: (userId: number, since: number, now: number) =>
      ordersOf.get(since, now, userId) ?? { count: 0, first: null },
    addOrder(now: number, forgetBefore: number, userId: number | null): void {
      forgetOrders.run(forgetBefore);
      addOrder.run(now, userId);
    },
  };
}

export type DomainSyncQueries = ReturnType<typeof domainSyncQueries>;
