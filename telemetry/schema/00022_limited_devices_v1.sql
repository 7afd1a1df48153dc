-- +goose NO TRANSACTION
-- +goose Up
-- Devices whose health reports were refused for their rate, so that a decision can say
-- whom it leaves out. Nothing else is known of them. An API process writes a device and
-- release once a minute, and bounds how many.
CREATE TABLE IF NOT EXISTS limited_devices_v1
(
    project_id  Int64,
    -- A release's own update uuid; reports on what is none are not kept.
    update_uuid String,
    -- Lower case; hashed where the project says so.
    device_id   String,
    touched_at  SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, update_uuid, device_id)
-- As long as the reports themselves would have been kept.
TTL toDateTime(touched_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000;
