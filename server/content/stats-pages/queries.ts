import type { Connection } from '../../platform/database/connect.ts';

/** Whose statistics a page shows. */
export interface StatsPageSubject {
  kind: 'link' | 'campaign';
  id: number;
}

export interface StatsPageRow {
  token: string;
  enabled: 0 | 1;
  password_hash: string | null;
  referrers: 0 | 1;
}

/** The link or campaign of a page, as needed to switch it on. */
export interface SubjectRow {
  /** Host of its domain; null on the instance's own address. */
  host: string | null;
  /** Title or alias of a link, or name of a campaign. */
  name: string;
  locked: 0 | 1;
}

/** A page as visitors see it. */
export interface PublicStatsPage extends Pick<StatsPageRow, 'password_hash' | 'referrers'> {
  user_id: number;
  link_id: number | null;
  campaign_id: number | null;
  /** 0 is the instance's own address. */
  domain_id: number;
  host: string | null;
  /** Of the link; null for a campaign. */
  alias: string | null;
  /** Title of the link, or name of the campaign. */
  title: string | null;
}

/**
 * A page's subject as a name: `link-7`. Caches use this and not the page's own id, which may be reused for someone
 * else's page.
 */
export const subjectOf = ({ link_id: link, campaign_id: campaign }: PublicStatsPage): string =>
  link === null ? `campaign-${campaign}` : `link-${link}`;

const columns = { link: 'link_id', campaign: 'campaign_id' } as const;

/** SQL of the public statistics pages. */
export function statsPageQueries(database: Connection) {
  const subjects = {
    link: database.prepare<[number, number], SubjectRow>(
      `SELECT host, ifnull(title, alias) AS name, locked FROM links LEFT JOIN domains ON domains.id = domain_id
       WHERE links.id = ? AND links.user_id = ? AND trashed_at IS NULL`,
    ),
    campaign: database.prepare<[number, number], SubjectRow>(
      `SELECT host, name, 0 AS locked FROM campaigns LEFT JOIN domains ON domains.id = domain_id
       WHERE campaigns.id = ? AND campaigns.user_id = ? AND leaving = 0`,
    ),
  };
  const finds = {
    link: findOf('link'),
    campaign: findOf('campaign'),
  };
  const stores = {
    link: storeOf('link'),
    campaign: storeOf('campaign'),
  };
  // A link that is archived or being deleted has no public page.
  const publicPage = database.prepare<[{ token: string; now: number }], PublicStatsPage>(
    `SELECT page.user_id, page.link_id, page.campaign_id, page.password_hash, page.referrers,
       ifnull(domains.id, 0) AS domain_id, domains.host, links.alias, ifnull(links.title, campaigns.name) AS title
     FROM stats_pages AS page
     JOIN users ON users.id = page.user_id AND users.active = 1 AND users.removed_at IS NULL AND users.trashed_at IS NULL
     LEFT JOIN links ON links.id = page.link_id AND links.user_id = page.user_id AND links.trashed_at IS NULL
       AND archived = 0 AND ifnull(archive_at, 9e15) > @now AND ifnull(delete_at, 9e15) > @now
     LEFT JOIN campaigns ON campaigns.id = page.campaign_id AND campaigns.user_id = page.user_id AND leaving = 0
     LEFT JOIN domains ON domains.id = ifnull(links.domain_id, campaigns.domain_id)
     WHERE token = @token AND enabled = 1 AND (links.id IS NOT NULL OR campaigns.id IS NOT NULL)`,
  );

  function findOf(kind: StatsPageSubject['kind']) {
    return database.prepare<[number], StatsPageRow>(
      `SELECT token, enabled, password_hash, referrers FROM stats_pages WHERE ${columns[kind]} = ?`,
    );
  }

  function storeOf(kind: StatsPageSubject['kind']) {
    return database.prepare<[Record<string, unknown>]>(
      `INSERT INTO stats_pages (user_id, ${columns[kind]}, token, enabled, password_hash, referrers)
       VALUES (@user, @id, @token, @enabled, @password_hash, @referrers)
       ON CONFLICT (${columns[kind]}) DO UPDATE SET token = @token, enabled = @enabled, password_hash = @password_hash,
         referrers = @referrers`,
    );
  }

  return {
    /** The account's link or campaign; undefined if it does not exist. */
    findSubject: ({ kind, id }: StatsPageSubject, userId: number): SubjectRow | undefined =>
      subjects[kind].get(id, userId),
    find: ({ kind, id }: StatsPageSubject): StatsPageRow | undefined => finds[kind].get(id),
    store: ({ kind, id }: StatsPageSubject, userId: number, row: StatsPageRow): void =>
      void stores[kind].run({ ...row, id, user: userId }),
    /** The page with a URL, if it is on and its subject is public. */
    findPublic: (token: string, now: number): PublicStatsPage | undefined => publicPage.get({ token, now }),
  };
}

export type StatsPageQueries = ReturnType<typeof statsPageQueries>;
