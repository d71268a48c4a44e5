import type { Read, Reader, Value } from '../database/reader.ts';
import type { Page } from '../http/pagination.ts';
import type { AuditRow } from './queries.ts';

/** How many of the newest entries a list with API activity shows: older ones are found with a filter. */
const mostShown = 100_000;

export interface AuditFilter {
  /** The account whose entries are listed (about it, or by it); null for all. */
  userId: number | null;
  /** Only entries by this person; null for all. */
  actorId: number | null;
  view: 'security' | 'records' | 'all';
  /** Only these actions, which all belong to the view; null for all of them. */
  actions: readonly string[] | null;
  /** Only entries about this record, of this type if given. */
  record: number | null;
  kind: string | null;
}

/** Where a person's entries start: the name of a group of indexes, and their common prefix. */
interface Source {
  group: string;
  where: string;
}

/** A range of an index: all of its entries match and are ordered by id. */
interface Range {
  index: string;
  where: string;
}

/** The sources of the entries. An account has two: about it, and by it; most entries are in both. */
function sourcesOf({ userId, actorId }: AuditFilter): Source[] {
  if (actorId !== null) {
    if (userId === null || userId === actorId)
      return [{ group: 'actor_', where: 'actor_id = @actorId AND ' }];
    const where = 'user_id = @userId AND actor_id = @actorId AND actor_id IS NOT user_id AND ';
    return [{ group: 'member_', where }];
  }
  if (userId === null) return [{ group: '', where: '' }];
  return [
    { group: 'user_', where: 'user_id = @userId AND ' },
    { group: 'actor_', where: 'actor_id = @userId AND ' },
  ];
}

function rangesOf({ view, actions }: AuditFilter, { group, where }: Source): Range[] {
  if (actions) {
    const index = `audit_${group}actions`;
    return actions.map((_, place) => ({ index, where: `${where}action = @action${place}` }));
  }
  return [
    ...(view === 'records' ? [] : [{ index: `audit_${group}security`, where: `${where}kind IS NULL` }]),
    ...(view === 'security' ? [] : [{ index: `audit_${group}records`, where: `${where}kind IS NOT NULL` }]),
  ];
}

const selected = ({ index, where }: Range) => `SELECT id FROM audit INDEXED BY ${index} WHERE ${where}`;

const rowsOf = (ids: string) => `
  SELECT audit.*, iif(users.kind = 'team', users.name, users.username) AS username
  FROM (${ids} ORDER BY id DESC LIMIT max(0, min(@limit, @most - @offset)) OFFSET @offset) AS picked
  CROSS JOIN audit ON audit.id = picked.id LEFT JOIN users ON users.id = audit.user_id`;

/** Merged in order, so that no more rows are read than counted. */
const totalOf = (ids: string) => `SELECT count(*) AS total FROM (${ids} ORDER BY id DESC LIMIT @most)`;

/** A record has few entries, so there are no separate indexes for them. */
function ofRecord({ userId, actorId, actions, kind }: AuditFilter): Range {
  const conditions = [
    'record = @record',
    ...(kind === null ? [] : ['kind = @kind']),
    ...(userId === null ? [] : ['(user_id = @userId OR actor_id = @userId)']),
    ...(actorId === null ? [] : ['actor_id = @actorId']),
    ...(actions ? [`action IN (${actions.map((_, place) => `@action${place}`).join(', ')})`] : []),
  ];
  return { index: 'audit_by_record', where: conditions.join(' AND ') };
}

/** Selects the ids of all matches, in the order of each index. */
function idsOf(filter: AuditFilter): string {
  if (filter.record !== null) return selected(ofRecord(filter));
  const sources = sourcesOf(filter);
  return (
    sources
      .flatMap((source) => rangesOf(filter, source))
      .map(selected)
      // Entries in both sources appear twice, one after the other, and are shown once.
      .join(sources.length > 1 ? ' UNION ' : ' UNION ALL ')
  );
}

/** Entries are added at one end and removed at the other. */
const versionSql = `SELECT (SELECT max(id) FROM audit) AS newest, (SELECT min(id) FROM audit) AS oldest`;

const peopleOf = (found: string) => `
  SELECT id, username FROM users
  WHERE ${found} AND removed_at IS NULL ORDER BY username LIMIT 200`;
const peopleSql = {
  /** Skips from one person to the next: each is found at once, however many entries they have. */
  own: `WITH RECURSIVE found (id) AS (
    SELECT 0 UNION ALL
    SELECT (SELECT min(actor_id) FROM audit INDEXED BY audit_member_actions
      WHERE user_id = @userId AND actor_id > found.id AND actor_id IS NOT user_id)
    FROM found WHERE found.id IS NOT NULL)
    ${peopleOf('(id = @userId OR id IN (SELECT id FROM found))')}`,
  everybody: peopleOf('EXISTS (SELECT 1 FROM audit WHERE actor_id = users.id)'),
};

/**
 * The lists of the audit log, read in the reader thread. Their SQL is assembled from the constant parts above; values
 * are always bound.
 */
export function auditLists(reader: Reader, most = mostShown) {
  return {
    /** A page of matches, newest first, and their number, counted up to `most` unless the view is security. */
    async list(filter: AuditFilter, page: { limit: number; offset: number }): Promise<Page<AuditRow>> {
      if (filter.actions?.length === 0 || (filter.record !== null && filter.view === 'security')) {
        return { rows: [], total: 0 };
      }
      const ids = idsOf(filter);
      const values = {
        ...valuesOf(filter),
        most: filter.view === 'security' ? Number.MAX_SAFE_INTEGER : most,
      };
      // Recounted only after a write, unless filtered by person or record.
      const isKept = filter.actorId === null && filter.record === null;
      const reads: Read[] = [
        { sql: versionSql, values: [] },
        { sql: totalOf(ids), values: [values], ...(isKept && { keptWith: 0 }) },
        { sql: rowsOf(ids), values: [{ ...values, ...page }] },
      ];
      const [, [counted] = [], found = []] = await reader.read(reads);
      return { rows: found as unknown as AuditRow[], total: Number(counted?.total ?? 0) };
    },

    /** People with entries that the account may see; null for everyone's. Ordered by name. */
    async people(userId: number | null): Promise<{ id: number; username: string }[]> {
      const sql = userId === null ? peopleSql.everybody : peopleSql.own;
      const [found = []] = await reader.read([{ sql, values: [{ userId }] }]);
      return found as unknown as { id: number; username: string }[];
    },
  };
}

export type AuditLists = ReturnType<typeof auditLists>;

function valuesOf({ userId, actorId, record, kind, actions }: AuditFilter): Record<string, Value> {
  const named = (actions ?? []).map((action, place) => [`action${place}`, action] as const);
  return { userId, actorId, record, kind, ...Object.fromEntries(named) };
}
