import type { UnmatchedKind } from '../../contract/unmatched-visits.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';

/** Whose visits are meant, and which of them; null is every one. */
export interface UnmatchedFilter {
  user: number;
  /** Only domains that this member created. */
  member: number | null;
  /** Whether those of the instance's own address and of its platform domains belong to it. */
  instance: 0 | 1;
  kind: UnmatchedKind | null;
  /** 0 is the instance's own address. */
  domain: number | null;
  path: string | null;
  /** UTC milliseconds; `to` is not part of it. */
  from: number | null;
  to: number | null;
}

export interface UnmatchedRow {
  id: number;
  path: string;
  host: string | null;
  kind: UnmatchedKind;
  taken: 0 | 1;
  visits: number;
  bots: number;
  referrer: string;
  first_at: number;
  at: number;
}

/** Paths that bots try on every server, whatever their user agent. */
const probed = [
  "'/.*'",
  "'*/.env*'",
  "'*/.git*'",
  "'*.php*'",
  "'*.asp*'",
  "'*.jsp*'",
  "'*.cgi*'",
  "'*/wp-*'",
  "'*/cgi-bin*'",
  "'*phpmyadmin*'",
  "'*/actuator*'",
  "'*/vendor/*'",
]
  .map((pattern) => `lower(visits.path) GLOB ${pattern}`)
  .join(' OR ');
const kindSql = `CASE WHEN visits.path = '/' THEN 'bare' WHEN visits.bot = 1 OR ${probed} THEN 'probe' ELSE 'unknown' END`;

/** The domains whose visits an account may see. */
const shownSql = `
  shown (id, host) AS (
    SELECT id, host FROM domains WHERE removed_at IS NULL AND user_id = @user
      AND (@member IS NULL OR ifnull(created_by, user_id) = @member)
    UNION ALL SELECT id, host FROM domains WHERE removed_at IS NULL AND user_id IS NULL AND @instance = 1
    UNION ALL SELECT 0, NULL WHERE @instance = 1)`;
const conditions = `(@domain IS NULL OR visits.domain_id = @domain) AND (@path IS NULL OR visits.path = @path)
    AND (@from IS NULL OR visits.at >= @from) AND (@to IS NULL OR visits.at < @to)
    AND (@kind IS NULL OR ${kindSql} = @kind)`;
/**
 * At most the 100,000 that are kept, read in a worker thread: an index would cost every redirect more than it saves.
 */
const foundSql = `
  WITH ${shownSql}, found AS (
    SELECT visits.id, visits.at, visits.domain_id, visits.path, visits.referrer, visits.bot, shown.host, ${kindSql} AS kind
    FROM orphan_visits AS visits CROSS JOIN shown ON shown.id = visits.domain_id WHERE ${conditions})`;
const takenSql = (table: string) =>
  `EXISTS (SELECT 1 FROM aliases WHERE aliases.domain_id = ${table}.domain_id AND aliases.alias = substr(${table}.path, 2)) AS taken`;

const groupsSql = {
  // `unknown` sorts last: if a person visited the path, bots do not make it a probe.
  rows: `${foundSql}
    SELECT grouped.*, (SELECT referrer FROM orphan_visits WHERE id = grouped.id) AS referrer, ${takenSql('grouped')} FROM (
      SELECT max(id) AS id, domain_id, path, host, count(*) AS visits, sum(bot) AS bots, max(kind) AS kind,
        min(at) AS first_at, max(at) AS at
      FROM found GROUP BY domain_id, path
      ORDER BY count(*) DESC, max(id) DESC LIMIT @limit OFFSET @offset) AS grouped`,
  total: `${foundSql} SELECT count(*) AS total FROM (SELECT 1 FROM found GROUP BY domain_id, path)`,
};
const singlesSql = {
  rows: `${foundSql}
    SELECT picked.*, 1 AS visits, bot AS bots, at AS first_at, ${takenSql('picked')}
    FROM (SELECT * FROM found ORDER BY id DESC LIMIT @limit OFFSET @offset) AS picked`,
  total: `${foundSql} SELECT count(*) AS total FROM found`,
};

/** Lists of the visits that reached no link, read in the reader's thread. */
export function unmatchedLists(reader: Pick<Reader, 'page'>) {
  return {
    list: (filter: UnmatchedFilter, group: 'path' | 'none', page: { limit: number; offset: number }) =>
      reader.page<UnmatchedRow>(group === 'path' ? groupsSql : singlesSql, { ...filter, ...page }),
  };
}

/** What deletes them; `after` and `until` are the ids of one slice. */
export function unmatchedQueries(database: Connection) {
  const last = database.prepare<[], number>('SELECT max(id) FROM orphan_visits').pluck();
  const first = database.prepare<[], number>('SELECT min(id) FROM orphan_visits').pluck();
  const remove = database.prepare<[UnmatchedFilter & { after: number; until: number }]>(
    `WITH ${shownSql}
     DELETE FROM orphan_visits AS visits
     WHERE visits.id > @after AND visits.id <= @until AND visits.domain_id IN (SELECT id FROM shown) AND ${conditions}`,
  );
  return {
    /** The ids there are: from above `after` to `until`. */
    range: () => ({ after: (first.get() ?? 1) - 1, until: last.get() ?? 0 }),
    remove: (filter: UnmatchedFilter, ids: { after: number; until: number }): number =>
      remove.run({ ...filter, ...ids }).changes,
  };
}
