-- What hangs on a deleted record, such as the links of a campaign or the answers of an overlay, goes into the trash some rows
-- at a time and is restored likewise, so that no redirect waits for it. A crash in between is taken up by the next start.

-- 'leaving': rows still go into the trash, and the record is still there. 'returning': the record is there again, and rows
-- still come back.
ALTER TABLE removals ADD COLUMN state TEXT NOT NULL DEFAULT 'trashed' CHECK (state IN ('leaving', 'trashed', 'returning'));
CREATE INDEX removals_under_way ON removals (resource, record_id) WHERE state <> 'trashed';

-- A few rows of one table each, as a JSON array of arrays (server/platform/trash/sources.ts).
CREATE TABLE trash_parts (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  content TEXT NOT NULL,
  FOREIGN KEY (resource, record_id) REFERENCES removals (resource, record_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX trash_parts_by_record ON trash_parts (resource, record_id, id);

INSERT INTO trash_parts (resource, record_id, source, content)
  SELECT resource, record_id, 'links', json_group_array(json(CASE resource
      WHEN 'campaigns' THEN json_array(link.value ->> '$.id', link.value ->> '$.weight', link.value ->> '$.position')
      WHEN 'pixels' THEN json_array(link.value, 1)
      ELSE json_array(link.value) END))
  FROM removals, json_each(content, '$.links') AS link
  WHERE resource IN ('campaigns', 'channels', 'pixels', 'overlays', 'splash')
  GROUP BY resource, record_id, link.key / 50;
INSERT INTO trash_parts (resource, record_id, source, content)
  SELECT resource, record_id, 'channel_items',
    json_group_array(json_array(item.value ->> '$.type', item.value ->> '$.item_id', item.value ->> '$.created_at'))
  FROM removals, json_each(content, '$.items') AS item
  WHERE resource = 'channels'
  GROUP BY resource, record_id, item.key / 50;
INSERT INTO trash_parts (resource, record_id, source, content)
  SELECT resource, record_id, child.key,
    json_group_array(json(iif(child.key = 'overlay_answers',
      json_array(NULL, row.value ->> 0, row.value ->> 1, row.value ->> 2), row.value)))
  FROM removals, json_each(belongings) AS child, json_each(child.value) AS row
  GROUP BY resource, record_id, child.key, row.key / 50;
UPDATE removals SET content = json_remove(content, '$.links', '$.items')
  WHERE resource IN ('campaigns', 'channels', 'pixels', 'overlays', 'splash');
ALTER TABLE removals DROP COLUMN belongings;
