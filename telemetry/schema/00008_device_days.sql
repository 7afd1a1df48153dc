-- +goose NO TRANSACTION
-- +goose Up
-- One row per device, day (UTC), release and channel. It keeps exact distinct devices of whole days, even after the
-- reports are deleted.
CREATE TABLE IF NOT EXISTS device_days
(
    project_id      Int64,
    day             Date,
    -- '' for the embedded update.
    update_uuid     String,
    channel         LowCardinality(String),
    platform        LowCardinality(String),
    runtime_version LowCardinality(String),
    -- SipHash-128 of device_id, as in device_releases.
    device_key      UInt128,
    launches        SimpleAggregateFunction(sum, UInt64),
    js_errors       SimpleAggregateFunction(sum, UInt64),
    crashes         SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
-- Partitions are months, so rows of the same device and day are always in the same partition.
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, update_uuid, channel, platform, runtime_version, device_key)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_mv TO device_days AS
SELECT
    project_id,
    toDate(received_at)                         AS day,
    update_uuid, channel, platform, runtime_version,
    reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
    sum(health_reports.launches)                AS launches,
    sum(health_reports.js_errors)               AS js_errors,
    sum(health_reports.crashes)                 AS crashes
FROM health_reports
GROUP BY project_id, day, update_uuid, channel, platform, runtime_version, device_key;
