-- +goose NO TRANSACTION
-- +goose Up
-- Devices of each release by day, for the adoption chart. The chart has a point per release and day of a quarter. The
-- cost of a point grows with its sketch, so these sketches are short: uniqCombined64(12) is exact up to 128 devices.
-- Above that it has a standard error of 1.6%.
CREATE TABLE IF NOT EXISTS release_days
(
    project_id  Int64,
    day         Date,
    -- '' for the embedded update.
    update_uuid String,
    -- Sketch of device_key, as in device_days.
    devices     AggregateFunction(uniqCombined64(12), UInt128)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, update_uuid)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS release_days_mv TO release_days AS
SELECT
    project_id,
    toDate(received_at) AS day,
    update_uuid,
    uniqCombined64State(12)(reinterpretAsUInt128(sipHash128(device_id))) AS devices
FROM health_reports
GROUP BY project_id, day, update_uuid;
