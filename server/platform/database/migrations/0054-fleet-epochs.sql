-- Where an epoch of the fleet began because the history before it is another one, as after a restore: the ids of links above
-- this were given to other links in epochs before it.
CREATE TABLE fleet_epochs (
  epoch INTEGER PRIMARY KEY,
  last_link INTEGER NOT NULL
) STRICT;
