-- +goose NO TRANSACTION
-- +goose Up
-- The weeks of flag_activity in groups of four, so that a query about a quarter merges fewer sketches. Spans begin
-- every fourth Monday, counted from 1970-01-05.
CREATE TABLE IF NOT EXISTS flag_spans
(
    project_id      Int64,
    flag_key        String,
    -- Start of the span.
    at              DateTime('UTC'),
    variation       String,
    update_uuid     String,
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    devices         AggregateFunction(uniqCombined64(12), String),
    errored         AggregateFunction(uniqCombined64(12), String),
    crashed         AggregateFunction(uniqCombined64(12), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY at
ORDER BY (project_id, flag_key, at, variation, update_uuid, channel, runtime_version)
TTL at + INTERVAL 150 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS flag_spans_mv TO flag_spans AS
SELECT
    project_id, flag_key,
    toDateTime(345600 + intDiv(toUInt32(flag_activity.at) - 345600, 2419200) * 2419200, 'UTC') AS at,
    variation, update_uuid, channel, runtime_version,
    devices, errored, crashed
FROM flag_activity
WHERE grain = 'week';
