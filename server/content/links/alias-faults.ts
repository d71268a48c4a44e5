import type { Connection } from '../../platform/database/connect.ts';
import type { AliasKind } from '../../visits/redirects/alias-queries.ts';

/** Something short that does not answer on the address that it shows. */
export interface AliasFault {
  kind: AliasKind;
  id: number;
  /** Null on the instance's own address. */
  host: string | null;
  alias: string;
  /** What answers there instead; null if nothing does. */
  holder: { kind: AliasKind; id: number } | null;
}

interface FaultRow {
  kind: AliasKind;
  id: number;
  host: string | null;
  alias: string;
  holder_kind: AliasKind | null;
  holder_id: number | null;
}

// Records that have an alias, according to their own tables.
const owners = `
  SELECT 'link' AS kind, id, domain_id, alias FROM links WHERE trashed_at IS NULL
  UNION ALL SELECT 'file', id, domain_id, alias FROM files
  UNION ALL SELECT 'bio', id, domain_id, alias FROM bio_pages`;

/** Every link outside the trash, file and bio page that does not hold the alias it shows. Reads all of them. */
export function findAliasFaults(connection: Connection): AliasFault[] {
  const rows = connection
    .prepare<[], FaultRow>(
      `SELECT owners.kind, owners.id, domains.host, owners.alias,
         aliases.kind AS holder_kind, aliases.target_id AS holder_id
       FROM (${owners}) AS owners
         LEFT JOIN domains ON domains.id = owners.domain_id
         LEFT JOIN aliases ON aliases.domain_id = ifnull(owners.domain_id, 0) AND aliases.alias = owners.alias
       WHERE aliases.kind IS NOT owners.kind OR aliases.target_id IS NOT owners.id`,
    )
    .all();
  return rows.map(({ holder_kind, holder_id, ...owner }) => ({
    ...owner,
    holder: holder_kind !== null && holder_id !== null ? { kind: holder_kind, id: holder_id } : null,
  }));
}

/** Aliases held by records that are deleted or in the trash: they are taken, but nothing answers there. */
export function findIdleAliases(connection: Connection): Omit<AliasFault, 'holder'>[] {
  return connection
    .prepare<[], Omit<AliasFault, 'holder'>>(
      `SELECT aliases.kind, aliases.target_id AS id, domains.host, aliases.alias
       FROM aliases LEFT JOIN domains ON domains.id = aliases.domain_id
       WHERE (kind = 'link' AND NOT EXISTS (SELECT 1 FROM links WHERE links.id = target_id AND trashed_at IS NULL))
          OR (kind = 'file' AND NOT EXISTS (SELECT 1 FROM files WHERE files.id = target_id))
          OR (kind = 'bio' AND NOT EXISTS (SELECT 1 FROM bio_pages WHERE bio_pages.id = target_id))`,
    )
    .all();
}
