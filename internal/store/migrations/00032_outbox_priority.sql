-- +goose Up

-- What may wait is relayed after what may not: a change can tell a thousand webhooks,
-- and no rollout begins later for that.
ALTER TABLE outbox ADD COLUMN priority smallint NOT NULL DEFAULT 0;

DROP INDEX outbox_due_index;
CREATE INDEX outbox_due_index ON outbox (priority, not_before, id);
