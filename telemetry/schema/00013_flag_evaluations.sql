-- +goose NO TRANSACTION
-- +goose Up
-- How often clients evaluated which flag to which value, by day, as clients added it up.
CREATE TABLE IF NOT EXISTS flag_evaluations
(
    project_id  Int64,
    flag_key    String,
    day         Date,
    -- As the client says, 'default' when it does not.
    channel     LowCardinality(String),
    -- Text of the value, as the flag's variations have it.
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
