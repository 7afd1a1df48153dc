-- +goose NO TRANSACTION
-- +goose Up
-- Observations of rollouts by the watchers, for the charts of dashboards: at most one row per rollout and stage every
-- two seconds. Decisions never read this table.
CREATE TABLE IF NOT EXISTS rollout_observations
(
    project_id      Int64,
    execution_id    Int64,
    observed_at     DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    stage_index     UInt16,
    percentage      Float64,
    devices         UInt64 CODEC(T64, ZSTD(1)),
    errored_devices UInt64 CODEC(T64, ZSTD(1)),
    crashed_devices UInt64 CODEC(T64, ZSTD(1)),
    evidence        Float64,
    ignored_devices UInt64 CODEC(T64, ZSTD(1)),
    -- The custom events with thresholds in the policy, one element per event: the number of devices that count, and
    -- the number of them that reported the event.
    event_names      Array(String) CODEC(ZSTD(1)),
    event_directions Array(LowCardinality(String)) CODEC(ZSTD(1)),
    event_devices    Array(UInt64) CODEC(ZSTD(1)),
    event_reported   Array(UInt64) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(observed_at)
ORDER BY (project_id, execution_id, observed_at)
TTL toDateTime(observed_at) + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 1024,
    non_replicated_deduplication_window = 10000;
