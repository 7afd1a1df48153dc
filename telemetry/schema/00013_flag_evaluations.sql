-- +goose NO TRANSACTION
-- +goose Up
-- Number of flag evaluations by value and day, as added up by clients.
CREATE TABLE IF NOT EXISTS flag_evaluations
(
    project_id  Int64,
    flag_key    String,
    day         Date,
    -- As the client reports it, or 'default'.
    channel     LowCardinality(String),
    -- The value as a string, in the form of the flag's variations.
    value       String,
    evaluations SimpleAggregateFunction(sum, UInt64),
    last_at     SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, flag_key, day, channel, value)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;
