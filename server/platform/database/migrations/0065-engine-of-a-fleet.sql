-- The settings of the instance have a group with the name that stood here.
UPDATE settings SET name = 'fleetEngine' WHERE name = 'fleet';
