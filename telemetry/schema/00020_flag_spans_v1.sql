-- +goose NO TRANSACTION
-- +goose Up
-- The weeks of flag_activity_v1 by fours: an answer about a month or a quarter merges
-- every sketch that it reads, and there are thousands of weeks of variations and
-- releases in it. Spans begin every fourth Monday, counted from that of 1970-01-05.
--
-- As in release_days_v1 nothing is added up, so that weeks may be taken in twice.
CREATE TABLE IF NOT EXISTS flag_spans_v1
(
    project_id      Int64,
    flag_key        String,
    -- Begin of the span.
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

CREATE MATERIALIZED VIEW IF NOT EXISTS flag_spans_mv_v1 TO flag_spans_v1 AS
SELECT
    project_id, flag_key,
    span AS at,
    variation, update_uuid, channel, runtime_version,
    uniqCombined64MergeState(12)(week.devices) AS devices,
    uniqCombined64MergeState(12)(week.errored) AS errored,
    uniqCombined64MergeState(12)(week.crashed) AS crashed
FROM
(
    SELECT
        project_id, flag_key,
        toDateTime(345600 + intDiv(toUInt32(flag_activity_v1.at) - 345600, 2419200) * 2419200, 'UTC') AS span,
        variation, update_uuid, channel, runtime_version,
        flag_activity_v1.devices, flag_activity_v1.errored, flag_activity_v1.crashed
    FROM flag_activity_v1
    WHERE grain = 'week'
) AS week
GROUP BY project_id, flag_key, span, variation, update_uuid, channel, runtime_version;

-- What was reported before.
INSERT INTO flag_spans_v1 (
    project_id, flag_key, at, variation, update_uuid, channel, runtime_version, devices, errored, crashed
)
SELECT
    project_id, flag_key,
    toDateTime(345600 + intDiv(toUInt32(flag_activity_v1.at) - 345600, 2419200) * 2419200, 'UTC') AS span,
    variation, update_uuid, channel, runtime_version,
    uniqCombined64MergeState(12)(flag_activity_v1.devices),
    uniqCombined64MergeState(12)(flag_activity_v1.errored),
    uniqCombined64MergeState(12)(flag_activity_v1.crashed)
FROM flag_activity_v1
WHERE grain = 'week'
GROUP BY project_id, flag_key, span, variation, update_uuid, channel, runtime_version;
