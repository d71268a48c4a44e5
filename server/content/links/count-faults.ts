import type { Connection } from '../../platform/database/connect.ts';

/** A list length maintained by triggers that differs from the table. */
export interface CountFault {
  /** Their owner, for example `account 1` or `campaign 5`. */
  what: string;
  resource: 'links' | 'clicks';
  counted: number;
  there: number;
}

const faultsSql = `
  SELECT 'account ' || id AS what, 'links' AS resource, ifnull(live, 0) AS counted,
    (SELECT count(*) FROM links WHERE user_id = users.id AND (trashed_at IS NULL) = 1) AS there
  FROM users LEFT JOIN link_counts ON user_id = id WHERE counted <> there
  UNION ALL
  SELECT 'the trash of account ' || id, 'links' AS resource, ifnull(trashed, 0) AS counted,
    (SELECT count(*) FROM links WHERE user_id = users.id AND (trashed_at IS NULL) = 0) AS there
  FROM users LEFT JOIN link_counts ON user_id = id WHERE counted <> there
  UNION ALL
  SELECT 'campaign ' || id, 'links' AS resource, ifnull(links, 0) AS counted,
    (SELECT count(*) FROM links WHERE campaign_id = campaigns.id AND (trashed_at IS NULL) = 1) AS there
  FROM campaigns LEFT JOIN campaign_counts ON campaign_id = id WHERE counted <> there
  UNION ALL
  SELECT 'channel ' || id, 'links' AS resource, ifnull(links, 0) AS counted,
    (SELECT count(*) FROM link_channels JOIN links ON links.id = link_id
     WHERE channel_id = channels.id AND trashed_at IS NULL) AS there
  FROM channels LEFT JOIN channel_counts ON channel_id = id WHERE counted <> there
  UNION ALL
  SELECT 'the list of channel ' || channel_id, 'links' AS resource, sum(live) AS counted, sum(trashed_at IS NULL) AS there
  FROM link_channels JOIN links ON links.id = link_id
  WHERE live <> (trashed_at IS NULL) OR link_channels.created_at <> links.created_at GROUP BY channel_id
  UNION ALL
  SELECT 'the log of account ' || id, 'clicks' AS resource, ifnull(clicks, 0) AS counted,
    (SELECT ifnull(sum(links.clicks - ifnull(forgotten_clicks.clicks, 0)), 0)
     FROM links LEFT JOIN forgotten_clicks ON link_id = links.id
     WHERE links.user_id = users.id AND (trashed_at IS NULL) = 1) AS there
  FROM users LEFT JOIN click_counts ON user_id = id WHERE counted <> there`;

/** Every list whose length is counted wrong. Reads all links. */
export function findCountFaults(database: Connection): CountFault[] {
  return database.prepare<[], CountFault>(faultsSql).all();
}
