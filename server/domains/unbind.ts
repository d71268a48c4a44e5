import type { Connection } from '../database/connect.ts';
import type { LinkRecord } from '../links/queries.ts';

interface Options {
  database: Connection;
  /** What a search of links looks at, for a link whose alias changes. */
  searchText: (record: LinkRecord) => string;
}

/**
 * Moves everything that is short on a domain to the instance's own address (contract: "short links pointing at it are
 * unbound"). An alias that is taken there gets a number behind it: the link stays reachable, and its old address is gone
 * with the domain either way. Runs inside a transaction of the caller.
 */
export function unbinding({ database, searchText }: Options) {
  const conflicts = database.prepare<[number], { alias: string; kind: string; target_id: number }>(
    `SELECT alias, kind, target_id FROM aliases AS mine WHERE domain_id = ?
       AND EXISTS (SELECT 1 FROM aliases WHERE domain_id = 0 AND alias = mine.alias)`,
  );
  const isTaken = database.prepare<[number, string], { alias: string }>(
    'SELECT alias FROM aliases WHERE domain_id IN (0, ?) AND alias = ?',
  );
  const rename = database.prepare<[string, number, string]>(
    'UPDATE aliases SET alias = ? WHERE domain_id = ? AND alias = ?',
  );
  const link = database.prepare<[number], LinkRecord>('SELECT * FROM links WHERE id = ?');
  const renameLink = database.prepare<[string, string, number]>(
    'UPDATE links SET alias = ?, search = ? WHERE id = ?',
  );
  const move = database.prepare<[number]>('UPDATE aliases SET domain_id = 0 WHERE domain_id = ?');

  function freeAlias(domainId: number, alias: string): string {
    const stem = [...alias].slice(0, 70).join('');
    for (let number = 2; ; number += 1) {
      const candidate = `${stem}-${number}`;
      if (!isTaken.get(domainId, candidate)) return candidate;
    }
  }

  return (domainId: number): void => {
    for (const { alias, kind, target_id } of conflicts.all(domainId)) {
      const free = freeAlias(domainId, alias);
      rename.run(free, domainId, alias);
      const record = kind === 'link' ? link.get(target_id) : undefined;
      if (record) renameLink.run(free, searchText({ ...record, alias: free }), target_id);
      // Prepared when it is needed: this happens once in the life of an instance, if at all.
      if (kind === 'file') database.prepare('UPDATE files SET alias = ? WHERE id = ?').run(free, target_id);
      if (kind === 'bio')
        database.prepare('UPDATE bio_pages SET alias = ? WHERE id = ?').run(free, target_id);
    }
    // The tables themselves follow by ON DELETE SET NULL.
    move.run(domainId);
  };
}

export type Unbind = ReturnType<typeof unbinding>;
