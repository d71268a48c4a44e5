import type { DomainDetails, DomainEvent } from '../../contract/domains.ts';
import { usableCondition } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';

export interface DomainRow {
  id: number;
  /** Null on a platform domain. */
  user_id: number | null;
  host: string;
  redirect_root: string | null;
  redirect_404: string | null;
  redirect_expired: string | null;
  redirect_early: string | null;
  bio_id: number | null;
  disabled: 0 | 1;
  /** JSON; null where no app opens its links. */
  apps: string | null;
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
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** What can be set on a domain. */
export interface DomainRecord {
  redirect_root: string | null;
  redirect_404: string | null;
  redirect_expired: string | null;
  redirect_early: string | null;
  bio_id: number | null;
  disabled: 0 | 1;
  apps: string | null;
}

export interface NewDomainRow extends DomainRecord {
  user_id: number | null;
  host: string;
  dns_type: string;
  resolved_ip: string;
  lapses_at: number;
  at: number;
}

/** The facts of a log entry as they are stored: with times in milliseconds. */
export type StoredDetails = Omit<DomainDetails, 'until'> & { until?: number };

/** An entry of a domain's log: what happened, as a sentence and as facts. */
export interface NewEntry {
  event: DomainEvent;
  message: string;
  details?: StoredDetails;
}

export interface LogRow {
  id: number;
  at: number;
  event: DomainEvent;
  message: string;
  /** `StoredDetails` as JSON. */
  details: string | null;
}

const pictureName = (kind: 'logo' | 'favicon') => `(SELECT token || iif(type = 'image/png', '.png', '.jpg')
  FROM domain_pictures WHERE domain_id = domains.id AND kind = '${kind}')`;
export const domainColumns = `domains.*, ${pictureName('logo')} AS logo, ${pictureName('favicon')} AS favicon,
  (SELECT json_group_array(plan_id) FROM domain_plans WHERE domain_id = domains.id) AS plans`;

/** What the platform offers was created by no member. */
const isByMember = '(@member IS NULL OR ifnull(domains.created_by, domains.user_id) = @member)';

/** Log entries kept per domain. */
const keptEntries = 500;

const isUsable = `${usableCondition} AND ${isByMember}`;
// One's own come first, then what the platform offers.
const listSql = {
  rows: `SELECT ${domainColumns} FROM domains WHERE ${isUsable}
    ORDER BY user_id IS NULL, id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM domains WHERE ${isUsable}`,
};
const isPlatform = 'user_id IS NULL AND removed_at IS NULL';
const platformSql = {
  rows: `SELECT ${domainColumns} FROM domains WHERE ${isPlatform} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM domains WHERE ${isPlatform}`,
};
const logSql = {
  rows: `SELECT id, at, event, message, details FROM domain_log WHERE domain_id = @id
    ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: 'SELECT count(*) AS total FROM domain_log WHERE domain_id = @id',
};

/** The lists of domains and of what happened to one, read in the reader's thread. */
export function domainLists(reader: Reader) {
  type Part = Pick<ListPage, 'limit' | 'offset'>;
  return {
    list: (user: number, now: number, page: ListPage): Promise<Page<DomainRow>> =>
      reader.page(listSql, { user, now, ...page }),
    listPlatform: ({ limit, offset }: Part): Promise<Page<DomainRow>> =>
      reader.page(platformSql, { limit, offset }),
    listLog: (id: number, { limit, offset }: Part): Promise<Page<LogRow>> =>
      reader.page(logSql, { id, limit, offset }),
  };
}

export type DomainLists = ReturnType<typeof domainLists>;

/** SQL of branded domains: what their owners and administrators do. */
export function domainRecordQueries(database: Connection) {
  const byId = database.prepare<[Record<string, unknown>], DomainRow>(
    `SELECT ${domainColumns} FROM domains
     WHERE id = @id AND removed_at IS NULL AND (user_id = @user OR (user_id IS NULL AND @admin))`,
  );
  const owned = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM domains WHERE user_id = ? AND removed_at IS NULL',
  );
  const insert = database.prepare<[NewDomainRow]>(
    `INSERT INTO domains (user_id, host, redirect_root, redirect_404, redirect_expired, redirect_early, bio_id, disabled, apps,
       dns_type, dns_status, resolved_ip, dns_checked_at, lapses_at, created_at)
     VALUES (@user_id, @host, @redirect_root, @redirect_404, @redirect_expired, @redirect_early, @bio_id, @disabled, @apps,
       @dns_type, 1, @resolved_ip, @at, @lapses_at, @at)`,
  );
  // An enabled domain is checked by the next run.
  const update = database.prepare<[DomainRecord & { id: number }]>(
    `UPDATE domains SET redirect_root = @redirect_root, redirect_404 = @redirect_404,
       redirect_expired = @redirect_expired, redirect_early = @redirect_early, bio_id = @bio_id, apps = @apps,
       next_check_at = iif(disabled = 1 AND @disabled = 0, NULL, next_check_at),
       disabled = @disabled, active = iif(@disabled = 1, 0, server_synced)
     WHERE id = @id`,
  );
  const clearPlans = database.prepare<[number]>('DELETE FROM domain_plans WHERE domain_id = ?');
  const addPlan = database.prepare<[number, number]>(
    'INSERT OR IGNORE INTO domain_plans (domain_id, plan_id) VALUES (?, ?)',
  );
  const plan = database.prepare<[number], { id: number }>('SELECT id FROM plans WHERE id = ?');
  // Nothing is written about a deleted domain: a job may still be processing it.
  const addEntry = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO domain_log (domain_id, at, event, message, details)
     SELECT id, @at, @event, @message, @details FROM domains WHERE id = @id`,
  );
  const trimLog = database.prepare<[Record<string, unknown>]>(
    `DELETE FROM domain_log WHERE domain_id = @id AND id <= (
       SELECT id FROM domain_log WHERE domain_id = @id ORDER BY id DESC LIMIT 1 OFFSET ${keptEntries})`,
  );
  return {
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
    addEntry(id: number, at: number, { event, message, details = {} }: NewEntry): void {
      addEntry.run({ id, at, event, message, details: JSON.stringify(details) });
      trimLog.run({ id });
    },
  };
}

export type DomainRecordQueries = ReturnType<typeof domainRecordQueries>;
