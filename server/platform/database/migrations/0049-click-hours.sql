-- Between which ids the counted clicks of an hour lie in the log. Clicks that an edge of a fleet answered come when it ships them, so
-- the log is in the order of arrival: where an hour begins in it cannot be found by halves.
CREATE TABLE click_hours (
  -- Hours since 1970.
  hour INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT;

INSERT INTO click_hours (hour, first, last)
  SELECT at / 3600000, min(id), max(id) FROM clicks
  WHERE id <= (SELECT position FROM rollup_position WHERE id = 1)
  GROUP BY at / 3600000;
