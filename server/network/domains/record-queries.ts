import type { DomainEvent } from '../../contract/domains.ts';
import { usableCondition } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';

export interface DomainRow {
  id: number;
  /** Null on a platform domain. */
  user_id: number | null;
  host: string;
  redirect_root: string | null;
  redirect_404: string | null;
  bio_id: number | null;
  disabled: 0 | 1;
  active: 0 | 1;
  dns_type: string;
  dns_status: 0 | 1;
  resolved_ip: string | null;
  dns_checked_at: number | null;
  dns_failure_count: number;
  next_check_at: number | null;
  server_synced: 0 | 1;
  ssl_status: 0 | 1;
  certificate_expires_at: number | null;
  certificate_url: string | null;
  certificate_failure_count: number;
  next_certificate_at: number | null;
  /** When the claim lapses; null once it is proved. */
  lapses_at: number | null;
  proof_failure_count: number;
  created_at: number;
  /** Names of the stored pictures. */
  logo: string | null;
  favicon: string | null;
  /** JSON array of the plans that a platform domain is offered to; empty for all. */
  plans: string;
  created_by?: number | null;
  updated_by?: number | null;
}

/** What can be set on a domain. */
export interface DomainRecord {
  redirect_root: string | null;
  redirect_404: string | null;
  bio_id: number | null;
  disabled: 0 | 1;
}

export interface NewDomainRow extends DomainRecord {
  user_id: number | null;
  host: string;
  dns_type: string;
  resolved_ip: string;
  lapses_at: number;
  at: number;
}

export interface LogRow {
  id: number;
  at: number;
  event: DomainEvent;
  message: string;
}

const pictureName = (kind: 'logo' | 'favicon') => `(SELECT token || iif(type = 'image/png', '.png', '.jpg')
  FROM domain_pictures WHERE domain_id = domains.id AND kind = '${kind}')`;
export const domainColumns = `domains.*, ${pictureName('logo')} AS logo, ${pictureName('favicon')} AS favicon,
  (SELECT json_group_array(plan_id) FROM domain_plans WHERE domain_id = domains.id) AS plans`;

/** What the platform offers was created by no member. */
const isByMember = '(@member IS NULL OR ifnull(domains.created_by, domains.user_id) = @member)';

/** Entries of the log that are kept of each domain. */
const keptEntries = 500;

/** SQL of branded domains: what their owners and administrators do. */
export function domainRecordQueries(database: Connection) {
  const count = database.prepare<[Record<string, unknown>], { total: number }>(
    `SELECT count(*) AS total FROM domains WHERE ${usableCondition} AND ${isByMember}`,
  );
  // One's own come first, then what the platform offers.
  const list = database.prepare<[Record<string, unknown>], DomainRow>(
    `SELECT ${domainColumns} FROM domains WHERE ${usableCondition} AND ${isByMember}
     ORDER BY user_id IS NULL, id DESC LIMIT @limit OFFSET @offset`,
  );
  const countPlatform = database.prepare<[], { total: number }>(
    'SELECT count(*) AS total FROM domains WHERE user_id IS NULL AND removed_at IS NULL',
  );
  const listPlatform = database.prepare<[number, number], DomainRow>(
    `SELECT ${domainColumns} FROM domains WHERE user_id IS NULL AND removed_at IS NULL ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const byId = database.prepare<[Record<string, unknown>], DomainRow>(
    `SELECT ${domainColumns} FROM domains
     WHERE id = @id AND removed_at IS NULL AND (user_id = @user OR (user_id IS NULL AND @admin))`,
  );
  const owned = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM domains WHERE user_id = ? AND removed_at IS NULL',
  );
  const insert = database.prepare<[NewDomainRow]>(
    `INSERT INTO domains (user_id, host, redirect_root, redirect_404, bio_id, disabled, dns_type, dns_status,
       resolved_ip, dns_checked_at, lapses_at, created_at)
     VALUES (@user_id, @host, @redirect_root, @redirect_404, @bio_id, @disabled, @dns_type, 1, @resolved_ip, @at, @lapses_at, @at)`,
  );
  // What was switched on again is looked at by the next run.
  const update = database.prepare<[DomainRecord & { id: number }]>(
    `UPDATE domains SET redirect_root = @redirect_root, redirect_404 = @redirect_404, bio_id = @bio_id,
       next_check_at = iif(disabled = 1 AND @disabled = 0, NULL, next_check_at),
       disabled = @disabled, active = iif(@disabled = 1, 0, server_synced)
     WHERE id = @id`,
  );
  const clearPlans = database.prepare<[number]>('DELETE FROM domain_plans WHERE domain_id = ?');
  const addPlan = database.prepare<[number, number]>(
    'INSERT OR IGNORE INTO domain_plans (domain_id, plan_id) VALUES (?, ?)',
  );
  const plan = database.prepare<[number], { id: number }>('SELECT id FROM plans WHERE id = ?');
  // Nothing is written about a domain that is gone: a job may still be at work on it.
  const addEntry = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO domain_log (domain_id, at, event, message)
     SELECT id, @at, @event, @message FROM domains WHERE id = @id`,
  );
  const trimLog = database.prepare<[Record<string, unknown>]>(
    `DELETE FROM domain_log WHERE domain_id = @id AND id <= (
       SELECT id FROM domain_log WHERE domain_id = @id ORDER BY id DESC LIMIT 1 OFFSET ${keptEntries})`,
  );
  const countLog = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM domain_log WHERE domain_id = ?',
  );
  const listLog = database.prepare<[number, number, number], LogRow>(
    'SELECT id, at, event, message FROM domain_log WHERE domain_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  return {
    list(user: number, now: number, page: ListPage): Page<DomainRow> {
      const bound = { user, now, member: page.member };
      return { rows: list.all({ ...bound, ...page }), total: count.get(bound)?.total ?? 0 };
    },
    listPlatform: (page: { limit: number; offset: number }): Page<DomainRow> => ({
      rows: listPlatform.all(page.limit, page.offset),
      total: countPlatform.get()?.total ?? 0,
    }),
    /** A user's own domain; administrators also find platform domains. */
    find: (id: number, user: number, admin: 0 | 1): DomainRow | undefined => byId.get({ id, user, admin }),
    countOwned: (user: number): number => owned.get(user)?.total ?? 0,
    insert: (row: NewDomainRow): number => Number(insert.run(row).lastInsertRowid),
    update: (id: number, record: DomainRecord): void => void update.run({ ...record, id }),
    setPlans(id: number, plans: readonly number[]): void {
      clearPlans.run(id);
      for (const each of plans) addPlan.run(id, each);
    },
    planExists: (id: number): boolean => plan.get(id) !== undefined,
    addEntry(id: number, at: number, event: DomainEvent, message: string): void {
      addEntry.run({ id, at, event, message });
      trimLog.run({ id });
    },
    listLog: (id: number, page: { limit: number; offset: number }): Page<LogRow> => ({
      rows: listLog.all(id, page.limit, page.offset),
      total: countLog.get(id)?.total ?? 0,
    }),
  };
}

export type DomainRecordQueries = ReturnType<typeof domainRecordQueries>;
