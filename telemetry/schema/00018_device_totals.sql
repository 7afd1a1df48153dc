-- +goose NO TRANSACTION
-- +goose Up
-- Totals of the reports of each device, for the list of devices. The last report is in devices.
CREATE TABLE IF NOT EXISTS device_totals
(
    project_id  Int64,
    -- SipHash-128 of device_id, as in device_releases.
    device_key  UInt128,
    -- Lower case; hashed if the project hashes IDs. Never empty.
    device_id   SimpleAggregateFunction(any, String) CODEC(ZSTD(1)),
    first_at    SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    touched_at  SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    -- Sums of the counts of js_error and crash.
    js_errors   SimpleAggregateFunction(sum, UInt64),
    crashes     SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
-- There are no partitions, because rows of a device must be merged regardless of their day.
ORDER BY (project_id, device_key)
TTL toDateTime(touched_at) + INTERVAL 400 DAY
SETTINGS
    index_granularity = 1024,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_totals_mv TO device_totals AS
SELECT
    project_id,
    reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
    any(health_reports.device_id)               AS device_id,
    min(received_at)                            AS first_at,
    max(received_at)                            AS touched_at,
    sum(health_reports.js_errors)               AS js_errors,
    sum(health_reports.crashes)                 AS crashes
FROM health_reports
WHERE health_reports.device_id != ''
GROUP BY project_id, reinterpretAsUInt128(sipHash128(health_reports.device_id));
