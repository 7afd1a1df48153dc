-- +goose Up

-- The body is written in the transaction of the change that it tells of, so that every
-- attempt sends the same bytes.
ALTER TABLE webhook_deliveries
    ADD COLUMN body text NOT NULL DEFAULT '',
    -- The delivery whose message this one sends again. No foreign key: old deliveries go.
    ADD COLUMN redelivery_of bigint;

-- A message has one delivery, but for those that send it again.
CREATE UNIQUE INDEX webhook_deliveries_message_key ON webhook_deliveries (webhook_id, message_id)
    WHERE redelivery_of IS NULL AND body <> '';

-- What is still to be sent, by when; few of all.
CREATE INDEX webhook_deliveries_pending_index ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';

-- What has ended, by age: the old ones go.
CREATE INDEX webhook_deliveries_ended_index ON webhook_deliveries (created_at) WHERE status <> 'pending';

ALTER TABLE webhooks
    -- The first failed attempt since the last one that succeeded.
    ADD COLUMN failing_since timestamptz,
    -- Why Waft disabled the webhook, empty when it did not.
    ADD COLUMN disabled_reason text NOT NULL DEFAULT '';
