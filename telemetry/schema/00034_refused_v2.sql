-- +goose NO TRANSACTION
-- +goose Up
-- Manifest requests that got nothing, as refused_v1, at a cost that does not grow with
-- the devices. That one had a sketch of up to 96 KiB a kind and day, of which 30 days
-- have thousands: with 10,000 devices in each, an answer took 0.8 s. Here a sketch has at
-- most 3 KiB, and weeks, each of which has a device once, stand for all days but those
-- before the first Monday.
CREATE TABLE IF NOT EXISTS refused_v2
(
    project_id      Int64,
    grain           Enum8('day' = 3, 'week' = 4),
    -- Weeks begin on Monday.
    at              Date,
    -- unknown_channel, missing_channel, missing_platform, missing_runtime_version,
    -- bad_request, no_release.
    reason          LowCardinality(String),
    -- '' where the request did not say.
    channel         String,
    platform        LowCardinality(String),
    runtime_version String,
    requests        SimpleAggregateFunction(sum, UInt64),
    last_at         SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    -- Devices that told their id. uniqCombined64(12) is exact up to 128 devices and beyond
    -- that off by 1.6 %.
    devices         AggregateFunction(uniqCombined64(12), String),
    -- Those of refused_v1. Sketches of two widths cannot be merged, so for 30 days devices
    -- of before and after are those of whichever are more: mostly they are the same.
    earlier_devices AggregateFunction(uniqCombined64(17), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (project_id, grain, at, reason, channel, platform, runtime_version)
TTL at + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

-- The way in, as refusals_in_v1. What an older process counts from here on waits in its
-- memory and is lost when it ends, as it would be in a crash.
CREATE TABLE IF NOT EXISTS refusals_in_v2
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

DROP TABLE IF EXISTS refusals_in_v1;

-- What was being inserted just now ends meanwhile; this inserts nothing.
INSERT INTO refused_v2 (project_id)
SELECT project_id
FROM
(
    SELECT project_id
    FROM refused_v1
    LIMIT 1
)
WHERE sleep(2) = 1;

DROP VIEW IF EXISTS refused_mv_v1;
