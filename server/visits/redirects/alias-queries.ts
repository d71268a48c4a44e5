import type { Connection } from '../../platform/database/connect.ts';

export type AliasKind = 'link' | 'file' | 'bio' | 'qr';

/** Remains of an account that is being deleted do not reserve aliases. */
const isDeletedAccounts = `(CASE aliases.kind
    WHEN 'link' THEN (SELECT user_id FROM links WHERE id = aliases.target_id)
    WHEN 'file' THEN (SELECT user_id FROM files WHERE id = aliases.target_id)
    WHEN 'bio' THEN (SELECT user_id FROM bio_pages WHERE id = aliases.target_id)
    ELSE 0 END IN (SELECT id FROM users WHERE removed_at IS NOT NULL))`;

/**
 * SQL of the namespace that links, files and bio pages share per domain. `domainId` null is the instance's own host.
 */
export function aliasQueries(database: Connection) {
  const claim = database.prepare<[number, string, AliasKind, number]>(
    `INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET kind = excluded.kind, target_id = excluded.target_id WHERE ${isDeletedAccounts}`,
  );
  const release = database.prepare<[AliasKind, number]>(
    'DELETE FROM aliases WHERE kind = ? AND target_id = ?',
  );
  const holder = database.prepare<[number, string], { kind: AliasKind; target_id: number }>(
    `SELECT kind, target_id FROM aliases WHERE domain_id = ? AND alias = ? AND NOT ${isDeletedAccounts}`,
  );
  return {
    /** Gives a target its first alias; false if it is taken. */
    claim: (domainId: number | null, alias: string, kind: AliasKind, targetId: number): boolean =>
      claim.run(domainId ?? 0, alias, kind, targetId).changes === 1,
    /**
     * Changes a target's alias. False if it is taken, and then the target keeps its current one, so that a caller that
     * continues after the error loses nothing.
     */
    move(domainId: number | null, alias: string, kind: AliasKind, targetId: number): boolean {
      const held = holder.get(domainId ?? 0, alias);
      if (held) return held.kind === kind && held.target_id === targetId;
      release.run(kind, targetId);
      return claim.run(domainId ?? 0, alias, kind, targetId).changes === 1;
    },
    /** Frees the alias of a link that goes to the trash. For deleted accounts a trigger does this. */
    release: (kind: AliasKind, targetId: number): void => void release.run(kind, targetId),
    holderOf: (domainId: number | null, alias: string) => holder.get(domainId ?? 0, alias),
  };
}

export type AliasQueries = ReturnType<typeof aliasQueries>;
