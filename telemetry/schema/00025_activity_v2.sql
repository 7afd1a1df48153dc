-- +goose NO TRANSACTION
-- +goose Up
-- What dashboards show of devices over time, as activity_v1, at half of its cost: an
-- answer reads whole granules of sketches, most of which were of other rows than those
-- asked for. Here a granule has 16 rows instead of 128; days and weeks, which are asked
-- for together, share their parts; and rows are left out that others answer as well.
--
-- Distinct devices cannot be added up, so each row holds a sketch of who was there:
-- uniqCombined64(13) is exact up to 256 devices in what is merged and beyond that off
-- by 1.1 % (one standard deviation) in at most 6 KiB. To merge one costs 20 to 45 µs,
-- whatever is in it, which is most of what an answer costs. Answers are exact all the
-- same wherever that is cheap, see exactRows in telemetry. Decisions never read this
-- table.
CREATE TABLE IF NOT EXISTS activity_v2
(
    project_id      Int64,
    -- Length of the bucket. Weeks begin on Monday; they make windows of a quarter cheap.
    grain           Enum8('slot' = 1, 'hour' = 2, 'day' = 3, 'week' = 4),
    -- Which of the columns below tell rows apart, as a sum: 1 channel, 2 platform,
    -- 4 runtime version, 8 release. The others are ''. A row exists for 0, 1, 3, 7 and 15,
    -- in hours and days for 14 too; in weeks, which adoption alone reads, for 14 only.
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
PARTITION BY (
    multiIf(grain = 'slot', 1, grain = 'hour', 2, 3),
    multiIf(grain = 'slot', toDate(at), grain = 'hour', toMonday(at), toStartOfQuarter(at))
)
-- Every query names the first four; a release's rows lie together in each bucket.
ORDER BY (project_id, grain, dims, at, update_uuid, channel, platform, runtime_version)
TTL
    at + INTERVAL 2 DAY DELETE WHERE grain = 'slot',
    at + INTERVAL 16 DAY DELETE WHERE grain = 'hour',
    at + INTERVAL 400 DAY DELETE WHERE grain IN ('day', 'week')
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 16,
    non_replicated_deduplication_window = 10000;

-- What is in activity_v1 is moved, and added up once: it takes nothing in any more, so
-- that reports wait in the ingest logs until 00028, and are inserted into what is then
-- there. What was being inserted just now ends while the second statement sleeps; it
-- does so only where there is something to move, and inserts nothing.
ALTER TABLE activity_v1 ADD CONSTRAINT IF NOT EXISTS moved_to_activity_v2 CHECK project_id < 0;

INSERT INTO activity_v2 (project_id)
SELECT project_id
FROM
(
    SELECT project_id
    FROM activity_v1
    LIMIT 1
)
WHERE sleep(2) = 1;
