-- +goose NO TRANSACTION
-- +goose Up
-- Manifest requests that got nothing, so that a mistake in an app's settings does not
-- stay silent. Rows come added up from an API process, which bounds how many kinds a
-- project can have. uniqCombined64(17) is exact up to 4,096 devices.
CREATE TABLE IF NOT EXISTS refused_v1
(
    project_id      Int64,
    day             Date,
    -- unknown_channel, missing_channel, missing_platform, missing_runtime_version,
    -- bad_request, no_release.
    reason          LowCardinality(String),
    -- '' where the request did not say.
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    requests        SimpleAggregateFunction(sum, UInt64),
    last_at         SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    -- Devices that told their id.
    devices         AggregateFunction(uniqCombined64(17), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, reason, channel, platform, runtime_version)
TTL day + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

-- The way in: a client cannot send states of sketches, so the view makes them. Nothing
-- is kept here.
CREATE TABLE IF NOT EXISTS refusals_in_v1
(
    project_id      Int64,
    refused_at      DateTime64(3, 'UTC'),
    reason          LowCardinality(String),
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    -- '' for requests that did not name a device.
    device_id       String,
    requests        UInt64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS refused_mv_v1 TO refused_v1 AS
SELECT
    project_id,
    toDate(refused_at) AS day,
    reason, channel, platform, runtime_version,
    sum(refusals_in_v1.requests) AS requests,
    max(refused_at) AS last_at,
    uniqCombined64StateIf(17)(device_id, device_id != '') AS devices
FROM refusals_in_v1
GROUP BY project_id, day, reason, channel, platform, runtime_version;
