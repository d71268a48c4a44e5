import type { Connection } from '../database/connect.ts';

export type AliasKind = 'link' | 'file' | 'bio' | 'qr';

/**
 * SQL of the name space that links, files and bio pages share per domain. `domainId` null is the instance's own
 * address.
 */
export function aliasQueries(database: Connection) {
  const claim = database.prepare<[number, string, AliasKind, number]>(
    'INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const release = database.prepare<[AliasKind, number]>(
    'DELETE FROM aliases WHERE kind = ? AND target_id = ?',
  );
  const holder = database.prepare<[number, string], { kind: AliasKind; target_id: number }>(
    'SELECT kind, target_id FROM aliases WHERE domain_id = ? AND alias = ?',
  );
  return {
    /** Takes an alias; false when it is taken already. */
    claim: (domainId: number | null, alias: string, kind: AliasKind, targetId: number): boolean =>
      claim.run(domainId ?? 0, alias, kind, targetId).changes === 1,
    release: (kind: AliasKind, targetId: number): void => void release.run(kind, targetId),
    holderOf: (domainId: number | null, alias: string) => holder.get(domainId ?? 0, alias),
  };
}

export type AliasQueries = ReturnType<typeof aliasQueries>;
