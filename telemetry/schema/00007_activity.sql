-- +goose NO TRANSACTION
-- +goose Up
-- Activity over time for dashboards. A query reads one row for each of its buckets (or one
-- for each bucket and release), however many events are behind it.
--
-- Distinct devices cannot be added up, so each row holds a sketch: uniqCombined64(13) is
-- exact up to 256 devices and beyond that has a standard error of 1.1 % in at most 6 KiB.
-- Merging one takes 20 to 45 µs, which is most of the cost of an answer. Answers are exact
-- where that is cheap, see exactRows in telemetry. Decisions never read this table.
CREATE TABLE IF NOT EXISTS activity
(
    project_id      Int64,
    -- Length of the bucket.
    grain           Enum8('slot' = 1, 'hour' = 2, 'day' = 3),
    -- Which of the columns below tell rows apart, as a sum: 1 channel, 2 platform,
    -- 4 runtime version, 8 release. The others are ''. Rows exist for 0, 1, 3, 7 and 15,
    -- in hours and days also for 14.
    dims            UInt8,
    -- Begin of the bucket; slots are of five minutes.
    at              DateTime('UTC'),
    -- '' for the embedded update as well.
    update_uuid     String,
    channel         LowCardinality(String),
    platform        LowCardinality(String),
    runtime_version LowCardinality(String),
    reports         SimpleAggregateFunction(sum, UInt64),
    launches        SimpleAggregateFunction(sum, UInt64),
    js_errors       SimpleAggregateFunction(sum, UInt64),
    crashes         SimpleAggregateFunction(sum, UInt64),
    -- Devices that reported anything; that had a js_error or crash; that had a crash.
    devices         AggregateFunction(uniqCombined64(13), String),
    errored         AggregateFunction(uniqCombined64(13), String),
    crashed         AggregateFunction(uniqCombined64(13), String)
)
ENGINE = AggregatingMergeTree
-- Fine buckets are needed for days only, and are dropped in whole parts.
PARTITION BY (
    multiIf(grain = 'slot', 1, grain = 'hour', 2, 3),
    multiIf(grain = 'slot', toDate(at), grain = 'hour', toMonday(at), toStartOfQuarter(at))
)
-- Every query names the first four; a release's rows lie together in each bucket.
ORDER BY (project_id, grain, dims, at, update_uuid, channel, platform, runtime_version)
TTL
    at + INTERVAL 2 DAY DELETE WHERE grain = 'slot',
    at + INTERVAL 16 DAY DELETE WHERE grain = 'hour',
    at + INTERVAL 400 DAY DELETE WHERE grain = 'day'
SETTINGS
    ttl_only_drop_parts = 1,
    -- Rows are as large as their sketches, and whole granules are read.
    index_granularity = 16,
    non_replicated_deduplication_window = 10000;

-- A block is aggregated once at its finest, then by the kinds of rows; each of these goes
-- into its slot, hour and day.
CREATE MATERIALIZED VIEW IF NOT EXISTS activity_mv TO activity AS
SELECT
    project_id,
    CAST(grain_code, 'Enum8(\'slot\' = 1, \'hour\' = 2, \'day\' = 3)') AS grain,
    dims,
    multiIf(grain_code = 1, slot, grain_code = 2, toStartOfHour(slot), toStartOfDay(slot)) AS at,
    update_uuid, channel, platform, runtime_version,
    reports, launches, js_errors, crashes,
    devices, errored, crashed
FROM
(
    SELECT
        project_id, slot, kind AS dims,
        if(bitTest(kind, 3), detail.update_uuid, '')     AS update_uuid,
        if(bitTest(kind, 0), detail.channel, '')         AS channel,
        if(bitTest(kind, 1), detail.platform, '')        AS platform,
        if(bitTest(kind, 2), detail.runtime_version, '') AS runtime_version,
        sum(detail.reports)   AS reports,
        sum(detail.launches)  AS launches,
        sum(detail.js_errors) AS js_errors,
        sum(detail.crashes)   AS crashes,
        uniqCombined64MergeState(13)(detail.devices) AS devices,
        uniqCombined64MergeState(13)(detail.errored) AS errored,
        uniqCombined64MergeState(13)(detail.crashed) AS crashed
    FROM
    (
        SELECT
            project_id,
            toStartOfFiveMinutes(toDateTime(received_at, 'UTC')) AS slot,
            update_uuid, channel, platform, runtime_version,
            count()                       AS reports,
            sum(health_reports.launches)  AS launches,
            sum(health_reports.js_errors) AS js_errors,
            sum(health_reports.crashes)   AS crashes,
            uniqCombined64State(13)(device_id) AS devices,
            uniqCombined64StateIf(13)(device_id, health_reports.js_errors + health_reports.crashes > 0) AS errored,
            uniqCombined64StateIf(13)(device_id, health_reports.crashes > 0) AS crashed
        FROM health_reports
        GROUP BY project_id, slot, update_uuid, channel, platform, runtime_version
    ) AS detail
    ARRAY JOIN [0, 1, 3, 7, 14, 15] AS kind
    GROUP BY project_id, slot, dims, update_uuid, channel, platform, runtime_version
) AS cell
ARRAY JOIN if(dims = 14, [2, 3], [1, 2, 3]) AS grain_code;
