-- +goose NO TRANSACTION
-- +goose Up
-- Devices whose health reports were rejected by the rate limit, so that a decision can say
-- how many it does not count. An API process writes a device and release once a minute, and
-- bounds how many.
CREATE TABLE IF NOT EXISTS limited_devices
(
    project_id  Int64,
    -- A release's own update id.
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
