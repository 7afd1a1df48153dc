-- +goose NO TRANSACTION
-- +goose Up
-- Activity over time for dashboards. A query reads one row per bucket, or one per bucket and release, however many
-- events there are.
--
-- Distinct devices cannot be added up, so each row contains a sketch. uniqCombined64(13) is exact up to 256 devices.
-- Above that it has a standard error of 1.1% in at most 6 KiB. Merging a sketch takes 20 to 45 µs, which is most of
-- the cost of a query. Results are exact where that is cheap (see exactRows in telemetry). Decisions never read this
-- table.
CREATE TABLE IF NOT EXISTS activity
(
    project_id      Int64,
    -- Length of the bucket.
    grain           Enum8('slot' = 1, 'hour' = 2, 'day' = 3),
    -- The columns below that distinguish rows, as a sum: 1 channel, 2 platform, 4 runtime version, 8 release. The
    -- other columns are ''. There are rows for 0, 1, 3, 7 and 15, and for 14 in hours and days.
    dims            UInt8,
    -- Start of the bucket. Slots are five minutes long.
    at              DateTime('UTC'),
    -- The embedded update is '' too.
    update_uuid     String,
    channel         LowCardinality(String),
    platform        LowCardinality(String),
    runtime_version LowCardinality(String),
    reports         SimpleAggregateFunction(sum, UInt64),
    launches        SimpleAggregateFunction(sum, UInt64),
    js_errors       SimpleAggregateFunction(sum, UInt64),
    crashes         SimpleAggregateFunction(sum, UInt64),
    -- Devices that reported, devices with a js_error or crash, and devices with a crash.
    devices         AggregateFunction(uniqCombined64(13), String),
    errored         AggregateFunction(uniqCombined64(13), String),
    crashed         AggregateFunction(uniqCombined64(13), String)
)
ENGINE = AggregatingMergeTree
-- Short buckets are needed only for days, and are dropped in whole parts.
PARTITION BY (
    multiIf(grain = 'slot', 1, grain = 'hour', 2, 3),
    multiIf(grain = 'slot', toDate(at), grain = 'hour', toMonday(at), toStartOfQuarter(at))
)
-- Every query filters by the first four columns. The rows of a release are adjacent in each bucket.
ORDER BY (project_id, grain, dims, at, update_uuid, channel, platform, runtime_version)
TTL
    at + INTERVAL 2 DAY DELETE WHERE grain = 'slot',
    at + INTERVAL 16 DAY DELETE WHERE grain = 'hour',
    at + INTERVAL 400 DAY DELETE WHERE grain = 'day'
SETTINGS
    ttl_only_drop_parts = 1,
    -- Rows are as large as their sketches, and a read always reads whole granules.
    index_granularity = 16,
    non_replicated_deduplication_window = 10000;

-- A block is first aggregated at the finest level, then by each kind of row. Each kind is added to its slot, hour and
-- day.
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
