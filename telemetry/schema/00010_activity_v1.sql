-- +goose NO TRANSACTION
-- +goose Up
-- What dashboards show of devices over time, added up as reports come in. A query
-- reads one row for each of its buckets (or one for each bucket and release), however
-- many events stand behind it.
--
-- Distinct devices cannot be added up, so each row holds a sketch of who was there:
-- uniqCombined64(13) is exact up to 256 devices in what is merged and beyond that off
-- by 1.1 % (one standard deviation) in at most 6 KiB. Wider sketches cost time in
-- proportion: merging 1,800 of them took 0.05 s with 13 bits, 0.1 s with 14, 0.4 s with
-- 16, and the releases of a quarter are as many. Answers
-- are exact all the same wherever that is cheap, see exactRows in telemetry.
-- Decisions never read this table.
CREATE TABLE IF NOT EXISTS activity_v1
(
    project_id      Int64,
    -- Length of the bucket. Weeks begin on Monday; they make windows of a quarter cheap.
    grain           Enum8('slot' = 1, 'hour' = 2, 'day' = 3, 'week' = 4),
    -- Which of the columns below tell rows apart, as a sum: 1 channel, 2 platform,
    -- 4 runtime version, 8 release. The others are ''. A row exists for 0, 2, 3, 7, 14
    -- and 15, so that no usual filter has to merge over what it does not ask for.
    dims            UInt8,
    -- Begin of the bucket; slots are of five minutes.
    at              DateTime('UTC'),
    -- '' for the embedded bundle as well.
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
PARTITION BY (grain, multiIf(grain = 'slot', toDate(at), grain = 'hour', toMonday(at), toStartOfMonth(at)))
-- Every query names the first four; a release's rows lie together in each bucket.
ORDER BY (project_id, grain, dims, at, update_uuid, channel, platform, runtime_version)
TTL
    at + INTERVAL 2 DAY DELETE WHERE grain = 'slot',
    at + INTERVAL 16 DAY DELETE WHERE grain = 'hour',
    at + INTERVAL 400 DAY DELETE WHERE grain IN ('day', 'week')
SETTINGS
    ttl_only_drop_parts = 1,
    -- Rows are as large as their sketches and few are asked for at a time, but the
    -- engine reads whole granules.
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

-- The block is added up once at its finest, and only the sums are taken to the 24
-- kinds of rows: that costs a fraction of adding up the reports for each.
CREATE MATERIALIZED VIEW IF NOT EXISTS activity_mv_v1 TO activity_v1 AS
SELECT
    project_id,
    CAST(cell.1, 'Enum8(\'slot\' = 1, \'hour\' = 2, \'day\' = 3, \'week\' = 4)') AS grain,
    cell.2 AS dims,
    multiIf(
        cell.1 = 1, slot,
        cell.1 = 2, toStartOfHour(slot),
        cell.1 = 3, toStartOfDay(slot),
        toDateTime(toMonday(slot), 'UTC')
    ) AS at,
    if(bitTest(cell.2, 3), detail.update_uuid, '')     AS update_uuid,
    if(bitTest(cell.2, 0), detail.channel, '')         AS channel,
    if(bitTest(cell.2, 1), detail.platform, '')        AS platform,
    if(bitTest(cell.2, 2), detail.runtime_version, '') AS runtime_version,
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
        count()                          AS reports,
        sum(health_reports_v1.launches)  AS launches,
        sum(health_reports_v1.js_errors) AS js_errors,
        sum(health_reports_v1.crashes)   AS crashes,
        uniqCombined64State(13)(device_id) AS devices,
        uniqCombined64StateIf(13)(device_id, health_reports_v1.js_errors + health_reports_v1.crashes > 0) AS errored,
        uniqCombined64StateIf(13)(device_id, health_reports_v1.crashes > 0) AS crashed
    FROM health_reports_v1
    GROUP BY project_id, slot, update_uuid, channel, platform, runtime_version
) AS detail
ARRAY JOIN [
    (1, 0), (1, 2), (1, 3), (1, 7), (1, 14), (1, 15),
    (2, 0), (2, 2), (2, 3), (2, 7), (2, 14), (2, 15),
    (3, 0), (3, 2), (3, 3), (3, 7), (3, 14), (3, 15),
    (4, 0), (4, 2), (4, 3), (4, 7), (4, 14), (4, 15)
] AS cell
GROUP BY project_id, grain, dims, at, update_uuid, channel, platform, runtime_version;
