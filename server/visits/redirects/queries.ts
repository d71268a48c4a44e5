import type { Connection } from '../../platform/database/connect.ts';
import type { AliasKind } from './alias-queries.ts';
import type { DomainFallbacks, LinkRow } from './link-record.ts';

export interface DomainRow {
  id: number;
  /** Null on a platform domain. */
  user_id: number | null;
  redirect_root: string | null;
  redirect_404: string | null;
  host: string;
  /** File names of the domain's pictures. */
  logo: string | null;
  favicon: string | null;
  bio_id: number | null;
}

const pictureName = (kind: 'logo' | 'favicon') => `(SELECT token || iif(type = 'image/png', '.png', '.jpg')
  FROM domain_pictures WHERE domain_id = domains.id AND kind = '${kind}')`;

const noFallbacks: DomainFallbacks = { redirect_expired: null, redirect_early: null };

/** Reads of the redirect path. */
export function redirectQueries(connection: Connection) {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const newestChange = connection.prepare<[], number | null>('SELECT max(seq) FROM redirect_changes').pluck();
  const changesAfter = connection
    .prepare<[number, number], [seq: number, linkId: number]>(
      'SELECT seq, link_id FROM redirect_changes WHERE seq > ? ORDER BY seq LIMIT ?',
    )
    .raw();
  const findDomain = connection.prepare<[string], DomainRow>(
    `SELECT id, user_id, redirect_root, redirect_404, bio_id, host, ${pictureName('logo')} AS logo, ${pictureName('favicon')} AS favicon
     FROM domains WHERE host = ? AND active = 1`,
  );
  const fallbacks = connection.prepare<[number], DomainFallbacks>(
    'SELECT redirect_expired, redirect_early FROM domains WHERE id = ?',
  );
  // Not a join: with STAT4, SQLite would plan it again for each bound value, which takes ten times as long.
  const findLink = connection.prepare<[number, string], LinkRow>(
    `SELECT id, user_id, alias, url, title, description, type,
            password_hash, expires_at, not_before_at, click_limit, expiration_url,
            redirect_status, forward_query, archived, rules, abtesting,
            parameters, deeplink, pixels, meta_title, meta_description, meta_image,
            archive_at, delete_at, test_until, test_winner, created_at
     FROM links
     WHERE id = (SELECT target_id FROM aliases WHERE domain_id = ? AND alias = ? AND kind = 'link')
       AND trashed_at IS NULL AND user_id NOT IN (SELECT id FROM users WHERE removed_at IS NOT NULL
         UNION ALL SELECT id FROM users WHERE trashed_at IS NOT NULL)`,
  );
  const findHolder = connection.prepare<[number, string], { kind: AliasKind; id: number }>(
    'SELECT kind, target_id AS id FROM aliases WHERE domain_id = ? AND alias = ?',
  );
  const privacy = connection.prepare<[number], number>('SELECT privacy FROM users WHERE id = ?').pluck();
  const owner = connection.prepare<[number], number>('SELECT user_id FROM links WHERE id = ?').pluck();
  const parameters = connection
    .prepare<[number], string | null>('SELECT parameters FROM users WHERE id = ?')
    .pluck();
  const isUsedUp = connection
    .prepare<[number], number>(
      'SELECT click_limit IS NOT NULL AND limited_clicks >= click_limit FROM links WHERE id = ?',
    )
    .pluck();
  const hasVisited = connection
    .prepare<[number, number, number], number>(
      'SELECT EXISTS (SELECT 1 FROM visitors WHERE day = ? AND scope = 0 AND scope_id = ? AND visitor = ?)',
    )
    .pluck();
  return {
    /** Changes exactly when another connection has committed (SQLite, "PRAGMA data_version"). */
    version: () => version.get(),
    /** The number of the newest change to cached data. */
    newestChange: (): number => newestChange.get() ?? 0,
    /** At most `most` changes after a given one, oldest first; link 0 means anything other than a single link. */
    changesAfter: (seq: number, most: number) => changesAfter.all(seq, most),
    findDomain: (host: string) => findDomain.get(host),
    findLink: (domainId: number, alias: string) => findLink.get(domainId, alias),
    /** 0, the instance's own host, has none. */
    fallbacks: (domainId: number): DomainFallbacks => fallbacks.get(domainId) ?? noFallbacks,
    /** The holder of an alias that is not a link's. */
    findHolder: (domainId: number, alias: string) => findHolder.get(domainId, alias),
    /** The owner of a link; undefined if it does not exist. */
    ownerOf: (linkId: number): number | undefined => owner.get(linkId),
    /** The data of visits to an account that is not stored (`clicks/omissions.ts`). */
    privacy: (userId: number): number => privacy.get(userId) ?? 0,
    /** The names of the query parameters that an account counts, as JSON. */
    parameters: (userId: number): string | null => parameters.get(userId) ?? null,
    isUsedUp: (linkId: number): boolean => isUsedUp.get(linkId) === 1,
    /** Whether the visitor was already counted on that link and day. */
    hasVisited: (day: number, linkId: number, visitor: number): boolean =>
      hasVisited.get(day, linkId, visitor) === 1,
  };
}

export type RedirectQueries = ReturnType<typeof redirectQueries>;
