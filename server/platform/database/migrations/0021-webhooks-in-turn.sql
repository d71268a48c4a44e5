-- The messages that wait for a webhook, the next one first: each webhook has its turns, however many wait for another.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, next_at, id) WHERE state = 'waiting';
DROP INDEX webhook_deliveries_due;
