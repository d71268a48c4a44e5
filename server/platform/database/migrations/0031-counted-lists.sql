-- Lists stay quick however many links an account has: their lengths are kept by triggers, and indexes serve what is listed
-- together with its order.

-- How many links an account has, in the lists and in the trash. `version` changes with everything that a list could show
-- otherwise, but for clicks: what was counted at one version is right until the next one.
CREATE TABLE link_counts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  live INTEGER NOT NULL DEFAULT 0,
  trashed INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Links of campaigns and channels that are not in the trash. Each has its row from its beginning. Whoever moves all of its
-- links at once takes the row away before: then none of them is counted by itself.
CREATE TABLE campaign_counts (
  campaign_id INTEGER PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
  links INTEGER NOT NULL
) STRICT;
CREATE TABLE channel_counts (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  links INTEGER NOT NULL
) STRICT;

-- What the list of a channel is read by: whether its link is there (not in the trash), and when that was made.
ALTER TABLE link_channels ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
ALTER TABLE link_channels ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
UPDATE link_channels SET (live, created_at) = (SELECT trashed_at IS NULL, created_at FROM links WHERE id = link_id);
CREATE INDEX link_channels_in_order ON link_channels (channel_id, live, created_at DESC, link_id DESC);

CREATE INDEX channel_items_in_order ON channel_items (channel_id, created_at DESC, item_id DESC, type);

INSERT INTO link_counts (user_id, live, trashed)
  SELECT user_id, sum(trashed_at IS NULL), sum(trashed_at IS NOT NULL) FROM links GROUP BY user_id;
INSERT INTO campaign_counts (campaign_id, links)
  SELECT id, ifnull(links, 0) FROM campaigns LEFT JOIN (
    SELECT campaign_id, count(*) AS links FROM links WHERE campaign_id IS NOT NULL AND trashed_at IS NULL
    GROUP BY campaign_id) ON campaign_id = id;
INSERT INTO channel_counts (channel_id, links)
  SELECT id, ifnull(links, 0) FROM channels LEFT JOIN (
    SELECT channel_id, count(*) AS links FROM link_channels WHERE live = 1 GROUP BY channel_id) ON channel_id = id;
CREATE TRIGGER campaigns_begin_count AFTER INSERT ON campaigns BEGIN
  INSERT INTO campaign_counts (campaign_id, links) VALUES (new.id, 0);
END;
CREATE TRIGGER channels_begin_count AFTER INSERT ON channels BEGIN
  INSERT INTO channel_counts (channel_id, links) VALUES (new.id, 0);
END;

CREATE TRIGGER links_count_insert AFTER INSERT ON links BEGIN
  INSERT INTO link_counts (user_id, live, trashed) VALUES (new.user_id, new.trashed_at IS NULL, new.trashed_at IS NOT NULL)
    ON CONFLICT (user_id) DO UPDATE SET
      live = live + excluded.live, trashed = trashed + excluded.trashed, version = version + 1;
  UPDATE campaign_counts SET links = links + 1 WHERE campaign_id = new.campaign_id AND new.trashed_at IS NULL;
END;
-- What is counted down may be gone with its account, campaign or channel: then there is nothing to count.
CREATE TRIGGER links_count_delete AFTER DELETE ON links BEGIN
  UPDATE link_counts SET
    live = live - (old.trashed_at IS NULL), trashed = trashed - (old.trashed_at IS NOT NULL), version = version + 1
    WHERE user_id = old.user_id;
  UPDATE campaign_counts SET links = links - 1 WHERE campaign_id = old.campaign_id AND old.trashed_at IS NULL;
END;
CREATE TRIGGER links_count_trash AFTER UPDATE OF trashed_at ON links
WHEN (old.trashed_at IS NULL) <> (new.trashed_at IS NULL) BEGIN
  UPDATE link_counts SET
    live = live + iif(new.trashed_at IS NULL, 1, -1), trashed = trashed + iif(new.trashed_at IS NULL, -1, 1)
    WHERE user_id = new.user_id;
  UPDATE link_channels SET live = new.trashed_at IS NULL WHERE link_id = new.id;
END;
CREATE TRIGGER links_count_campaign AFTER UPDATE OF trashed_at, campaign_id ON links
WHEN (old.trashed_at IS NULL) <> (new.trashed_at IS NULL) OR old.campaign_id IS NOT new.campaign_id BEGIN
  UPDATE campaign_counts SET links = links - 1 WHERE campaign_id = old.campaign_id AND old.trashed_at IS NULL;
  UPDATE campaign_counts SET links = links + 1 WHERE campaign_id = new.campaign_id AND new.trashed_at IS NULL;
END;
CREATE TRIGGER links_count_version AFTER UPDATE OF domain_id, search, type, status, expires_at, not_before_at, click_limit,
  archived, locked, pixels, campaign_id, trashed_at ON links BEGIN
  UPDATE link_counts SET version = version + 1 WHERE user_id = new.user_id;
END;

CREATE TRIGGER link_channels_count_insert AFTER INSERT ON link_channels
WHEN EXISTS (SELECT 1 FROM channel_counts WHERE channel_id = new.channel_id) BEGIN
  UPDATE channel_counts SET links = links + new.live WHERE channel_id = new.channel_id;
  UPDATE link_counts SET version = version + 1 WHERE user_id = (SELECT user_id FROM channels WHERE id = new.channel_id);
END;
-- Who assigns a link says when it was made, and whether it is there; where nobody did, it is looked up.
CREATE TRIGGER link_channels_complete AFTER INSERT ON link_channels WHEN new.created_at = 0 BEGIN
  UPDATE link_channels SET (live, created_at) = (SELECT trashed_at IS NULL, created_at FROM links WHERE id = new.link_id)
    WHERE channel_id = new.channel_id AND link_id = new.link_id;
END;
CREATE TRIGGER link_channels_count_delete AFTER DELETE ON link_channels
WHEN EXISTS (SELECT 1 FROM channel_counts WHERE channel_id = old.channel_id) BEGIN
  UPDATE channel_counts SET links = links - old.live WHERE channel_id = old.channel_id;
  UPDATE link_counts SET version = version + 1 WHERE user_id = (SELECT user_id FROM channels WHERE id = old.channel_id);
END;
CREATE TRIGGER link_channels_count_update AFTER UPDATE OF live ON link_channels WHEN old.live <> new.live BEGIN
  UPDATE channel_counts SET links = links + new.live - old.live WHERE channel_id = new.channel_id;
END;

-- How many clicks the log has of an account's links that are not in the trash; bots are not among them. What was deleted for
-- its age is in a link's figures and not in the log.
CREATE TABLE click_counts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  clicks INTEGER NOT NULL
) STRICT;
INSERT INTO click_counts (user_id, clicks)
  SELECT user_id, sum(links.clicks - ifnull(forgotten_clicks.clicks, 0))
  FROM links LEFT JOIN forgotten_clicks ON link_id = id WHERE trashed_at IS NULL GROUP BY user_id;
CREATE TRIGGER links_count_clicks AFTER UPDATE OF clicks ON links WHEN new.trashed_at IS NULL AND new.clicks <> old.clicks BEGIN
  INSERT INTO click_counts (user_id, clicks) VALUES (new.user_id, new.clicks - old.clicks)
    ON CONFLICT (user_id) DO UPDATE SET clicks = clicks + excluded.clicks;
END;
CREATE TRIGGER links_count_clicks_insert AFTER INSERT ON links WHEN new.trashed_at IS NULL AND new.clicks <> 0 BEGIN
  INSERT INTO click_counts (user_id, clicks) VALUES (new.user_id, new.clicks)
    ON CONFLICT (user_id) DO UPDATE SET clicks = clicks + excluded.clicks;
END;
CREATE TRIGGER links_count_clicks_trash AFTER UPDATE OF trashed_at ON links
WHEN (old.trashed_at IS NULL) <> (new.trashed_at IS NULL) AND new.clicks <> 0 BEGIN
  INSERT INTO click_counts (user_id, clicks)
    SELECT new.user_id, iif(new.trashed_at IS NULL, 1, -1)
      * (new.clicks - ifnull((SELECT clicks FROM forgotten_clicks WHERE link_id = new.id), 0)) WHERE true
    ON CONFLICT (user_id) DO UPDATE SET clicks = clicks + excluded.clicks;
END;
-- Before: what was forgotten of it goes with it.
CREATE TRIGGER links_count_clicks_delete BEFORE DELETE ON links WHEN old.trashed_at IS NULL AND old.clicks <> 0 BEGIN
  UPDATE click_counts SET
    clicks = clicks - old.clicks + ifnull((SELECT clicks FROM forgotten_clicks WHERE link_id = old.id), 0)
    WHERE user_id = old.user_id;
END;
CREATE TRIGGER forgotten_clicks_count_insert AFTER INSERT ON forgotten_clicks BEGIN
  UPDATE click_counts SET clicks = clicks - new.clicks
    WHERE user_id = (SELECT user_id FROM links WHERE id = new.link_id AND trashed_at IS NULL);
END;
CREATE TRIGGER forgotten_clicks_count_update AFTER UPDATE OF clicks ON forgotten_clicks BEGIN
  UPDATE click_counts SET clicks = clicks - new.clicks + old.clicks
    WHERE user_id = (SELECT user_id FROM links WHERE id = new.link_id AND trashed_at IS NULL);
END;

-- One index serves an order in the lists and in the trash: `trashed_at IS NULL` is 1 or 0 in it.
DROP INDEX links_by_user;
CREATE INDEX links_by_user ON links (user_id, trashed_at IS NULL, created_at DESC, id DESC);
DROP INDEX links_by_clicks;
CREATE INDEX links_by_clicks ON links (user_id, trashed_at IS NULL, clicks DESC, id DESC);
CREATE INDEX links_by_name ON links (user_id, trashed_at IS NULL, ifnull(title, alias) COLLATE NOCASE, id);

DROP INDEX links_by_domain;
CREATE INDEX links_by_domain ON links (domain_id, user_id, trashed_at IS NULL) WHERE domain_id IS NOT NULL;
CREATE INDEX links_not_direct ON links (id) WHERE type <> 'direct';

DROP INDEX links_by_campaign;
CREATE INDEX links_by_campaign ON links (campaign_id, trashed_at IS NULL, created_at DESC, id DESC)
  WHERE campaign_id IS NOT NULL;
CREATE INDEX links_by_campaign_click ON links (campaign_id, trashed_at IS NULL, clicked_at DESC, id DESC)
  WHERE campaign_id IS NOT NULL;
CREATE INDEX links_by_campaign_position ON links (campaign_id, trashed_at IS NULL, campaign_position IS NULL,
  campaign_position, created_at DESC, id DESC) WHERE campaign_id IS NOT NULL;

-- The few that are not simply there, so that the others can be counted without a look at each of them.
CREATE INDEX links_special ON links (user_id, trashed_at IS NULL, archived, expires_at, not_before_at, click_limit,
  limited_clicks)
  WHERE archived = 1 OR expires_at IS NOT NULL OR not_before_at IS NOT NULL OR click_limit IS NOT NULL;
CREATE INDEX links_private ON links (user_id) WHERE status = 'private';
CREATE INDEX links_locked ON links (user_id) WHERE locked = 1;

-- The parts of the index of searches are merged in slices (server/content/links/search-upkeep.ts), and not in the commit that
-- makes one too many.
INSERT INTO links_search (links_search, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
