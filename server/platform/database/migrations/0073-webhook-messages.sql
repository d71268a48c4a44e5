-- How many messages wait for a webhook, and how many bytes those and all of its messages have: counting what is there
-- takes milliseconds for each webhook that hears of a change.
CREATE TABLE webhook_counts (
  webhook_id INTEGER PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  waiting INTEGER NOT NULL,
  waiting_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_counts (webhook_id, waiting, waiting_bytes, bytes)
  SELECT webhook_id, sum(state = 'waiting'), sum(iif(state = 'waiting', octet_length(body), 0)), sum(octet_length(body))
  FROM webhook_deliveries GROUP BY webhook_id;

CREATE TRIGGER webhook_deliveries_added AFTER INSERT ON webhook_deliveries BEGIN
  INSERT INTO webhook_counts (webhook_id, waiting, waiting_bytes, bytes)
    VALUES (new.webhook_id, new.state = 'waiting', iif(new.state = 'waiting', octet_length(new.body), 0),
      octet_length(new.body))
    ON CONFLICT (webhook_id) DO UPDATE SET waiting = waiting + excluded.waiting,
      waiting_bytes = waiting_bytes + excluded.waiting_bytes, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER webhook_deliveries_over AFTER UPDATE OF state ON webhook_deliveries WHEN old.state <> new.state BEGIN
  UPDATE webhook_counts SET waiting = waiting + (new.state = 'waiting') - (old.state = 'waiting'),
    waiting_bytes = waiting_bytes + ((new.state = 'waiting') - (old.state = 'waiting')) * octet_length(new.body)
    WHERE webhook_id = new.webhook_id;
END;
CREATE TRIGGER webhook_deliveries_removed AFTER DELETE ON webhook_deliveries BEGIN
  UPDATE webhook_counts SET waiting = waiting - (old.state = 'waiting'),
    waiting_bytes = waiting_bytes - iif(old.state = 'waiting', octet_length(old.body), 0),
    bytes = bytes - octet_length(old.body)
    WHERE webhook_id = old.webhook_id;
END;

-- Finds the oldest of the log without going past all that wait.
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id) WHERE state <> 'waiting';
