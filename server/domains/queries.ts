import type { Connection } from '../database/connect.ts';

export interface DomainRow {
  id: number;
  user_id: number | null;
  host: string;
}

/** SQL of branded domains. */
export function domainQueries(database: Connection) {
  // A platform domain (without an owner) is open to everybody who may use it.
  const usable = database.prepare<[number, number], DomainRow>(
    'SELECT id, user_id, host FROM domains WHERE id = ? AND (user_id = ? OR user_id IS NULL)',
  );
  const usableByHost = database.prepare<[string, number], DomainRow>(
    'SELECT id, user_id, host FROM domains WHERE host = ? AND (user_id = ? OR user_id IS NULL)',
  );
  const anyByHost = database.prepare<[string], { id: number }>('SELECT id FROM domains WHERE host = ?');
  return {
    findUsable: (id: number, userId: number): DomainRow | undefined => usable.get(id, userId),
    findUsableByHost: (host: string, userId: number): DomainRow | undefined => usableByHost.get(host, userId),
    isKnownHost: (host: string): boolean => anyByHost.get(host) !== undefined,
  };
}

export type DomainQueries = ReturnType<typeof domainQueries>;
