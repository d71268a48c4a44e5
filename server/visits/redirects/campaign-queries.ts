import type { Connection } from '../../platform/database/connect.ts';

export interface RotatorRow {
  id: number;
  user_id: number;
  /** 0 is the instance's own host. */
  domain_id: number;
  turns: number;
}

export interface RotatedRow {
  id: number;
  domain_id: number;
  alias: string;
  host: string | null;
  weight: number;
  created_at: number;
}

/** A link's place among those of a campaign, oldest first. */
export type LinkAge = Pick<RotatedRow, 'created_at' | 'id'>;

export interface ListedCampaign {
  id: number;
  user_id: number;
  name: string;
  owner: string;
  /** The owner's user name where they have a public profile. */
  profile: string | null;
}

/** An account whose profile is public. */
export interface ProfileRow {
  id: number;
  username: string;
  name: string;
  /** Whether its picture may be shown, and the name of the one that was set. */
  media: 0 | 1;
  avatar: string | null;
}

export interface ListedLink {
  alias: string;
  host: string | null;
  title: string | null;
  description: string | null;
}

/** The maximum number of links on a list page. */
const mostListed = 500;
/** The maximum number of links that a rotator reads for a visit. */
export const mostRotated = 500;
/** The maximum number of lists on a profile. */
const mostLists = 100;

/** Reads of campaign pages and their counters. They are rare enough to be read every time. */
export function campaignQueries(connection: Connection) {
  const active = `(trashed_at IS NULL) = 1 AND archived = 0 AND ifnull(not_before_at, 0) <= @now
    AND ifnull(expires_at, 9e15) > @now AND (click_limit IS NULL OR limited_clicks < click_limit)`;
  const bySlug = connection.prepare<[string], RotatorRow>(
    `SELECT campaigns.id, campaigns.user_id, ifnull(domain_id, 0) AS domain_id, turns
     FROM campaigns JOIN users ON users.id = campaigns.user_id AND users.active = 1 WHERE slug = ? AND leaving = 0`,
  );
  // In words that an index has, so that it ends after the links that it returns.
  const rotated = connection.prepare<[LinkAge & { campaign: number; now: number; most: number }], RotatedRow>(
    `SELECT links.id, ifnull(domain_id, 0) AS domain_id, alias, host, campaign_weight AS weight, links.created_at
     FROM (SELECT id FROM links WHERE campaign_id = @campaign AND campaign_weight > 0 AND ${active}
         AND (created_at, id) > (@created_at, @id)
       ORDER BY created_at, id LIMIT @most) AS picked
     CROSS JOIN links ON links.id = picked.id LEFT JOIN domains ON domains.id = domain_id
     ORDER BY campaign_position NULLS LAST, links.id`,
  );
  const listed = connection.prepare<[number, string], ListedCampaign>(
    `SELECT campaigns.id, campaigns.user_id, campaigns.name, iif(users.name = '', users.username, users.name) AS owner,
       iif(users.public = 1 AND users.kind = 'person', users.username, NULL) AS profile
     FROM campaigns JOIN users ON users.id = campaigns.user_id
     WHERE campaigns.id = ? AND campaigns.public = 1 AND campaigns.leaving = 0 AND users.active = 1
       AND iif(users.kind = 'team', 'team-' || users.id, users.username_folded) = ?`,
  );
  const links = connection.prepare<[{ id: number; now: number; most: number }], ListedLink>(
    `SELECT alias, host, title, description FROM links LEFT JOIN domains ON domains.id = domain_id
     WHERE campaign_id = @id AND links.status = 'public' AND ${active}
     ORDER BY campaign_position IS NULL, campaign_position, links.created_at DESC, links.id DESC LIMIT @most`,
  );
  const profile = connection.prepare<[string], ProfileRow>(
    `SELECT id, username, iif(name = '', username, name) AS name, media, avatar FROM users
     WHERE username_folded = ? AND public = 1 AND active = 1`,
  );
  const lists = connection.prepare<[number, number], Pick<ListedCampaign, 'id' | 'name'>>(
    'SELECT id, name FROM campaigns WHERE user_id = ? AND public = 1 AND leaving = 0 ORDER BY name_folded, id LIMIT ?',
  );
  const addView = connection.prepare<[number, number]>(
    'UPDATE campaigns SET views = views + 1, turns = turns + ? WHERE id = ?',
  );
  return {
    findRotator: (slug: string): RotatorRow | undefined => bySlug.get(slug),
    /** The oldest links that a rotator currently sends visits to, after the one of this age; in their owner's order. */
    rotated: (campaign: number, now: number, { created_at, id }: LinkAge): RotatedRow[] =>
      rotated.all({ campaign, now, created_at, id, most: mostRotated }),
    /** A campaign with a public list, by its id and its owner's user name (folded). */
    findListed: (id: number, username: string): ListedCampaign | undefined => listed.get(id, username),
    /** The links on a list page, in their owner's order; newest first if there is none. */
    listed: (id: number, now: number): ListedLink[] => links.all({ id, now, most: mostListed }),
    /** An account by its user name (folded); undefined unless its profile is public. */
    findProfile: (username: string): ProfileRow | undefined => profile.get(username),
    /** The campaigns of an account whose lists are public, by name. */
    publicLists: (userId: number) => lists.all(userId, mostLists),
    /** Counts a view and advances the rotator. */
    addView: (id: number, turns: 0 | 1): void => void addView.run(turns, id),
  };
}

export type CampaignQueries = ReturnType<typeof campaignQueries>;
