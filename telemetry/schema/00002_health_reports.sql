-- +goose NO TRANSACTION
-- +goose Up
-- One row per report, even for a report without events of a known type. Roll-ups are derived from this table, and
-- queries about an exact time read it.
CREATE TABLE IF NOT EXISTS health_reports
(
    project_id      Int64,
    received_at     DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    report_id       UUID,
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    update_uuid     String CODEC(ZSTD(1)),
    -- Sums of the counts of the report's events, by type.
    launches        UInt64 CODEC(T64, ZSTD(1)),
    js_errors       UInt64 CODEC(T64, ZSTD(1)),
    crashes         UInt64 CODEC(T64, ZSTD(1)),
    customs         UInt64 CODEC(T64, ZSTD(1)),
    -- xxHash64 of the distinct names of its custom events, because rollout policies have thresholds for events by
    -- name.
    custom_names    Array(UInt64) CODEC(ZSTD(1)),
    -- As in exposures.
    share_bucket    Nullable(UInt32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toDate(received_at)
-- A rollout reads one release since a given time.
ORDER BY (project_id, update_uuid, received_at)
TTL toDateTime(received_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;
