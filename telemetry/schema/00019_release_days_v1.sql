-- +goose NO TRANSACTION
-- +goose Up
-- Devices of each release by day, for the chart of adoption, which has a point for each
-- release and day of a quarter and needs nothing else. Reading a point costs as much as
-- its sketch is long, so these are the shortest that the engine has: uniqCombined64(12)
-- is exact up to 128 devices and beyond that off by 1.6 % (one standard deviation).
-- activity_v1 has the same devices in wider sketches, apart by platform and runtime
-- version.
--
-- Nothing is added up here: sketches of the same devices may be stored twice without
-- harm, by the view and by what is inserted below.
CREATE TABLE IF NOT EXISTS release_days_v1
(
    project_id  Int64,
    day         Date,
    -- '' for the embedded bundle.
    update_uuid String,
    -- Of device_key, as in device_days_v1.
    devices     AggregateFunction(uniqCombined64(12), UInt128)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, update_uuid)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS release_days_mv_v1 TO release_days_v1 AS
SELECT
    project_id,
    toDate(received_at) AS day,
    update_uuid,
    uniqCombined64State(12)(reinterpretAsUInt128(sipHash128(device_id))) AS devices
FROM health_reports_v1
GROUP BY project_id, day, update_uuid;

-- What was reported before.
INSERT INTO release_days_v1 (project_id, day, update_uuid, devices)
SELECT project_id, day, update_uuid, uniqCombined64State(12)(device_key)
FROM device_days_v1
GROUP BY project_id, day, update_uuid;
