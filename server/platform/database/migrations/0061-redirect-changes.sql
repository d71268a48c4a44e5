-- What redirects remember and somebody has changed, so that they forget that and nothing else. `link_id` is 0 where it is not
-- one link, but what many of them are read with. The newest are kept: who has missed some forgets everything.
CREATE TABLE redirect_changes (
  seq     INTEGER PRIMARY KEY,
  link_id INTEGER NOT NULL
) STRICT;

CREATE TRIGGER redirect_changes_newest AFTER INSERT ON redirect_changes BEGIN
  DELETE FROM redirect_changes WHERE seq <= new.seq - 1000;
END;

CREATE TRIGGER redirects_forget_link AFTER UPDATE OF
  id, user_id, alias, url, title, description, type, password_hash, expires_at, not_before_at, click_limit, expiration_url,
  redirect_status, forward_query, archived, rules, abtesting, parameters, deeplink, pixels, meta_title, meta_description,
  meta_image, archive_at, delete_at, test_until, test_winner, created_at, trashed_at ON links
BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (old.id);
END;
CREATE TRIGGER redirects_forget_deleted_link AFTER DELETE ON links BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (old.id);
END;

CREATE TRIGGER redirects_forget_alias AFTER UPDATE ON aliases WHEN old.kind = 'link' BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (old.target_id);
END;
CREATE TRIGGER redirects_forget_released_alias AFTER DELETE ON aliases WHEN old.kind = 'link' BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (old.target_id);
END;

-- An edge writes accounts by deleting and adding them.
CREATE TRIGGER redirects_forget_account AFTER UPDATE OF id, removed_at, trashed_at, privacy, parameters ON users BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_new_account AFTER INSERT ON users BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_deleted_account AFTER DELETE ON users BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;

CREATE TRIGGER redirects_forget_domain AFTER UPDATE OF
  id, user_id, host, active, redirect_root, redirect_404, redirect_expired, redirect_early, bio_id ON domains
BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_new_domain AFTER INSERT ON domains BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_deleted_domain AFTER DELETE ON domains BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;

-- The instance's own address is a setting.
CREATE TRIGGER redirects_forget_setting AFTER UPDATE ON settings BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_new_setting AFTER INSERT ON settings BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
CREATE TRIGGER redirects_forget_deleted_setting AFTER DELETE ON settings BEGIN
  INSERT INTO redirect_changes (link_id) VALUES (0);
END;
