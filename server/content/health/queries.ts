import type { BrokenReason } from '../../contract/link-health.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';

/** A link whose destinations are due, with its previous results. */
export interface DueLink {
  id: number;
  user_id: number;
  url: string;
  rules: string;
  abtesting: string;
  due_at: number;
  failures: number;
  failed_at: number | null;
  broken_at: number | null;
  /** Whether its account asks for checks, and visitors are led on by it. */
  is_wanted: 0 | 1;
}

/** The stored result of a check. */
export interface HealthRecord {
  due_at: number;
  checked_at: number;
  failures: number;
  failed_at: number | null;
  broken_at: number | null;
  reason: BrokenReason | null;
  address: string | null;
}

/** A broken link, for a message. */
export interface BrokenLink {
  alias: string;
  host: string | null;
  address: string;
}

/** Accounts whose links are checked: persons, and teams whose admins switched it on. */
const askingSql = 'SELECT id FROM users WHERE brokenlinks_email = 1 AND active = 1 AND removed_at IS NULL';
/** Only people who can fix it are notified, and not hundreds of administrators of a team. */
const mostKeepers = 20;

/** SQL of the results for links' destinations. A link's row is deleted with the link. */
export function healthQueries(database: Connection) {
  const enrol = database.prepare<{ id: number; due: number }>(
    `INSERT INTO link_health (link_id, due_at) SELECT id, @due FROM links WHERE id = @id ON CONFLICT DO NOTHING`,
  );
  // A link whose destinations changed since it was selected is due again, and the result is discarded.
  const store = database.prepare<[HealthRecord & { id: number; was_due: number }]>(
    `UPDATE link_health SET due_at = @due_at, checked_at = @checked_at, failures = @failures, failed_at = @failed_at,
       broken_at = @broken_at, reason = @reason, address = @address
     WHERE link_id = @id AND due_at = @was_due`,
  );
  const postpone = database.prepare<{ id: number; was_due: number; due: number }>(
    'UPDATE link_health SET due_at = @due WHERE link_id = @id AND due_at = @was_due',
  );
  const forget = database.prepare<[number]>('DELETE FROM link_health WHERE link_id = ?');
  const noteTold = database.prepare<[number, number]>(
    `INSERT INTO link_health_mails (user_id, sent_at) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET sent_at = excluded.sent_at`,
  );
  const keepers = database
    .prepare<[{ account: number }], number>(
      `SELECT id FROM users WHERE kind = 'person' AND active = 1 AND removed_at IS NULL AND (id = @account OR id IN (
         SELECT person_id FROM members WHERE team_id = @account AND role IN ('owner', 'admin')))
       ORDER BY id LIMIT ${mostKeepers}`,
    )
    .pluck();
  const keeper = database.prepare<
    { person: number; account: number },
    { email: string; language: string; is_team: 0 | 1 }
  >(
    `SELECT email, language, id <> @account AS is_team FROM users
     WHERE id = @person AND active = 1 AND removed_at IS NULL AND @account IN (${askingSql})
       AND (id = @account OR EXISTS (SELECT 1 FROM members
         WHERE team_id = @account AND person_id = users.id AND role IN ('owner', 'admin')))`,
  );
  const broken = database.prepare<[{ account: number; ids: string }], BrokenLink>(
    `SELECT alias, host, address FROM json_each(@ids) CROSS JOIN link_health ON link_id = value
       JOIN links ON links.id = link_id LEFT JOIN domains ON domains.id = links.domain_id
     WHERE broken_at IS NOT NULL AND links.user_id = @account AND links.trashed_at IS NULL
     ORDER BY broken_at DESC, links.id DESC`,
  );
  return {
    enrol: (id: number, due: number): void => void enrol.run({ id, due }),
    store: ({ id, due_at }: DueLink, record: HealthRecord): boolean =>
      store.run({ ...record, id, was_due: due_at }).changes > 0,
    postpone: ({ id, due_at }: DueLink, due: number): void => void postpone.run({ id, was_due: due_at, due }),
    forget: (id: number): void => void forget.run(id),
    noteTold: (account: number, at: number): void => void noteTold.run(account, at),
    /** The recipients: the person, or the team's administrators. */
    keepersOf: (account: number): number[] => keepers.all({ account }),
    /** Undefined for people who no longer want to be notified. */
    findKeeper: (person: number, account: number) => keeper.get({ person, account }),
    /** Those of some links that are broken still, and the account's. */
    broken: (account: number, ids: readonly number[]): BrokenLink[] =>
      broken.all({ account, ids: JSON.stringify(ids) }),
  };
}

export type HealthQueries = ReturnType<typeof healthQueries>;

const windowSql = `
  SELECT max(id) AS last, json_group_array(id) FILTER (WHERE is_new) AS ids FROM (
    SELECT id, user_id IN (${askingSql}) AND NOT EXISTS (SELECT 1 FROM link_health WHERE link_id = links.id) AS is_new
    FROM links WHERE id > @after AND trashed_at IS NULL AND archived = 0 ORDER BY id LIMIT @limit)`;

const dueSql = `
  SELECT id, user_id, url, rules, abtesting, due_at, failures, failed_at, broken_at,
    user_id IN (${askingSql}) AND trashed_at IS NULL AND archived = 0 AND ifnull(expires_at, 9e15) > @now AS is_wanted
  FROM link_health JOIN links ON links.id = link_id WHERE due_at <= @now ORDER BY due_at, link_id LIMIT @limit`;

const soundSql = `
  SELECT url FROM link_health JOIN links ON links.id = link_id
  WHERE checked_at IS NOT NULL AND failures = 0 ORDER BY checked_at DESC LIMIT 1`;

// The newest broken links of each of the next accounts that have a new one since the last email.
const untoldSql = `
  WITH broken AS (
    SELECT links.user_id AS account, link_id, broken_at,
      row_number() OVER (PARTITION BY links.user_id ORDER BY broken_at DESC, link_id DESC) AS place
    FROM link_health JOIN links ON links.id = link_id
    WHERE broken_at IS NOT NULL AND links.trashed_at IS NULL AND links.user_id > @after AND links.user_id IN (${askingSql}))
  SELECT account, json_group_array(link_id) AS links
  FROM broken LEFT JOIN link_health_mails AS mails ON mails.user_id = account
  WHERE place <= @links
  GROUP BY account HAVING sent_at IS NULL OR (sent_at < max(broken_at) AND sent_at <= @before)
  ORDER BY account LIMIT @accounts`;

interface UntoldSearch {
  /** People notified after this time are not notified again. */
  before: number;
  /** The account before the first one. */
  after: number;
  accounts: number;
  links: number;
}

/** Reads of many links at once, in the reader thread. */
export function healthLists(reader: Pick<Reader, 'read'>) {
  return {
    /** The next links without results, and the last id read; null at the end. */
    async findNew(after: number, limit: number): Promise<{ ids: number[]; last: number | null }> {
      const [[row] = []] = await reader.read([{ sql: windowSql, values: [{ after, limit }] }]);
      return {
        ids: JSON.parse(String(row?.ids ?? '[]')) as number[],
        last: (row?.last ?? null) as number | null,
      };
    },
    async findDue(now: number, limit: number): Promise<DueLink[]> {
      const [rows = []] = await reader.read([{ sql: dueSql, values: [{ now, limit }] }]);
      return rows as unknown as DueLink[];
    },
    /** Accounts with broken links that nobody was notified of, by id, each with the newest broken links. */
    async findUntold({
      before,
      after,
      accounts,
      links,
    }: UntoldSearch): Promise<{ account: number; links: number[] }[]> {
      const [rows = []] = await reader.read([
        { sql: untoldSql, values: [{ before, after, accounts, links }] },
      ]);
      return rows.map((row) => ({
        account: Number(row.account),
        links: JSON.parse(String(row.links)) as number[],
      }));
    },
    /** A destination that responded at the last check. */
    async findSound(): Promise<string | undefined> {
      const [[row] = []] = await reader.read([{ sql: soundSql, values: [] }]);
      return row && String(row.url);
    },
  };
}

export type HealthLists = ReturnType<typeof healthLists>;
