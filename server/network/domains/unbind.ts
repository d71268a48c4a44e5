import type { LinkRecord } from '../../content/links/queries.ts';
import type { Connection } from '../../platform/database/connect.ts';

interface Options {
  database: Connection;
  /** The searched text of a link whose alias changes. */
  searchText: (record: LinkRecord) => string;
  /** A random alias of so many characters. */
  randomAlias: (length: number) => string;
  /** Called when nothing of a domain is left. */
  onUnbound: (userId: number | null) => void;
}

interface HeldAlias {
  alias: string;
  kind: 'link' | 'file' | 'bio';
  target_id: number;
}

/** References to a domain besides aliases: records in the trash, and records without an alias there. */
const referring = [
  ['links', 'domain_id'],
  ['files', 'domain_id'],
  ['bio_pages', 'domain_id'],
  ['qr_codes', 'domain_id'],
  ['campaigns', 'domain_id'],
  ['users', 'default_domain_id'],
] as const;

/** Rows of one statement. */
const rowsPerStep = 10;

function releaseSql(table: string, column: string): string {
  return `UPDATE ${table} SET ${column} = NULL
    WHERE id IN (SELECT id FROM ${table} WHERE ${column} = ? LIMIT ${rowsPerStep})`;
}
/** Numbers that are tried behind an alias that is taken. */
const mostNumbers = 9;

/**
 * Moves all aliases on a deleted domain to the instance's own host (contract: "short links pointing at it are
 * unbound"), then deletes the domain. An alias that is taken there gets a number appended: the link stays reachable,
 * and its old URL is gone with the domain anyway. After `mark` the domain is neither routed nor visible; `step`,
 * inside the caller's transaction, does a limited part of the rest and returns false when nothing is left.
 */
export function unbinding({ database, searchText, randomAlias, onUnbound }: Options) {
  const mark = database.prepare<[number, number]>(
    'UPDATE domains SET removed_at = ?, active = 0 WHERE id = ?',
  );
  const next = database.prepare<[], { id: number; user_id: number | null }>(
    'SELECT id, user_id FROM domains WHERE removed_at IS NOT NULL ORDER BY id LIMIT 1',
  );
  const nextAlias = database.prepare<[number], HeldAlias>(
    'SELECT alias, kind, target_id FROM aliases WHERE domain_id = ? LIMIT 1',
  );
  const isTaken = database
    .prepare<[string], number>('SELECT 1 FROM aliases WHERE domain_id = 0 AND alias = ?')
    .pluck();
  const move = database.prepare<[string, number, string]>(
    'UPDATE aliases SET domain_id = 0, alias = ? WHERE domain_id = ? AND alias = ?',
  );
  const link = database.prepare<[number], LinkRecord>('SELECT * FROM links WHERE id = ?');
  const moveLink = database.prepare<[string, string, number]>(
    'UPDATE links SET domain_id = NULL, alias = ?, search = ? WHERE id = ?',
  );
  const moveOther = {
    file: database.prepare<[string, number]>('UPDATE files SET domain_id = NULL, alias = ? WHERE id = ?'),
    bio: database.prepare<[string, number]>('UPDATE bio_pages SET domain_id = NULL, alias = ? WHERE id = ?'),
  };
  const release = referring.map(([table, column]) => database.prepare<[number]>(releaseSql(table, column)));
  const remove = database.prepare<[number]>('DELETE FROM domains WHERE id = ?');

  /** The alias itself, with a number, or with random letters: a few look-ups, whatever is taken. */
  function freeAlias(alias: string): string {
    if (!isTaken.get(alias)) return alias;
    const stem = [...alias].slice(0, 70).join('');
    for (let number = 2; number <= mostNumbers; number += 1) {
      if (!isTaken.get(`${stem}-${number}`)) return `${stem}-${number}`;
    }
    for (let length = 4; ; length += 1) {
      const candidate = `${stem}-${randomAlias(Math.min(length, 9))}`;
      if (!isTaken.get(candidate)) return candidate;
    }
  }

  function moveAlias(domainId: number, { alias, kind, target_id }: HeldAlias): void {
    const free = freeAlias(alias);
    move.run(free, domainId, alias);
    if (kind !== 'link') {
      moveOther[kind].run(free, target_id);
      return;
    }
    const record = link.get(target_id);
    if (record) moveLink.run(free, searchText({ ...record, alias: free }), target_id);
  }

  return {
    mark: (domainId: number, at: number): void => void mark.run(at, domainId),

    step(): boolean {
      const domain = next.get();
      if (!domain) return false;
      const held = nextAlias.get(domain.id);
      if (held) {
        moveAlias(domain.id, held);
        return true;
      }
      if (release.some((statement) => statement.run(domain.id).changes > 0)) return true;
      remove.run(domain.id);
      onUnbound(domain.user_id);
      return true;
    },
  };
}
