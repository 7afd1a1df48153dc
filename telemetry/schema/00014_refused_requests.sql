-- +goose NO TRANSACTION
-- +goose Up
-- Refused manifest requests by day. An API process inserts sums and limits the cardinality of a project. Sketches are
-- as in release_days.
CREATE TABLE IF NOT EXISTS refused_requests
(
    project_id      Int64,
    day             Date,
    -- unknown_channel, missing_channel, missing_platform, missing_runtime_version,
    -- bad_request, no_release, rate_limited.
    reason          LowCardinality(String),
    -- '' if the request does not have it.
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    requests        SimpleAggregateFunction(sum, UInt64),
    last_at         SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    -- Devices that sent their ID.
    devices         AggregateFunction(uniqCombined64(12), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, reason, channel, platform, runtime_version)
TTL day + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

-- API processes insert into this table. A client cannot send the states of sketches, so the view creates them. The
-- table does not store rows.
CREATE TABLE IF NOT EXISTS refused_requests_in
(
    project_id      Int64,
    refused_at      DateTime64(3, 'UTC'),
    reason          LowCardinality(String),
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    -- '' for requests without a device ID.
    device_id       String,
    requests        UInt64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS refused_requests_mv TO refused_requests AS
SELECT
    project_id,
    toDate(refused_at) AS day,
    reason, channel, platform, runtime_version,
    sum(refused_requests_in.requests) AS requests,
    max(refused_at) AS last_at,
    uniqCombined64StateIf(12)(device_id, device_id != '') AS devices
FROM refused_requests_in
GROUP BY project_id, day, reason, channel, platform, runtime_version;

-- Devices with refused requests by hour, for any reason, for the overview of the last day.
CREATE TABLE IF NOT EXISTS refused_hours
(
    project_id      Int64,
    -- Start of the hour.
    at              DateTime('UTC'),
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    devices         AggregateFunction(uniqCombined64(12), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toDate(at)
ORDER BY (project_id, at, channel, platform, runtime_version)
TTL at + INTERVAL 2 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS refused_hours_mv TO refused_hours AS
SELECT
    project_id,
    toStartOfHour(toDateTime(refused_at, 'UTC')) AS at,
    channel, platform, runtime_version,
    uniqCombined64State(12)(device_id) AS devices
FROM refused_requests_in
WHERE device_id != ''
GROUP BY project_id, at, channel, platform, runtime_version;
