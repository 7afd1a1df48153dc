-- +goose NO TRANSACTION
-- +goose Up
-- Devices whose health reports were rejected by the rate limit, so that a decision can show how many devices it does
-- not count. An API process writes a pair of device and release once per minute, up to a maximum number of pairs.
CREATE TABLE IF NOT EXISTS limited_devices
(
    project_id  Int64,
    -- The release's own update ID.
    update_uuid String,
    -- Lower case; hashed if the project hashes IDs.
    device_id   String,
    touched_at  SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, update_uuid, device_id)
-- As long as the rejected reports would have been kept.
TTL toDateTime(touched_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000;
