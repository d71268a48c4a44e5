-- Whether the destinations of links with a frame or an overlay let themselves be shown in one.

CREATE TABLE link_framings (
  link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  -- Origin and path of the destination.
  address TEXT NOT NULL,
  -- Origin of the page around it that was asked for; 'null' for one that shares no origin with anybody.
  embedder TEXT NOT NULL,
  -- NULL when the destination could not be asked.
  verdict TEXT CHECK (verdict IN ('allowed', 'forbidden')),
  -- What forbids it.
  reason TEXT CHECK (reason IN ('x-frame-options', 'frame-ancestors')),
  checked_at INTEGER NOT NULL,
  -- When it is to be asked again.
  due_at INTEGER NOT NULL,
  PRIMARY KEY (link_id, address)
) STRICT, WITHOUT ROWID;
