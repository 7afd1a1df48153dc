-- +goose NO TRANSACTION
-- +goose Up
-- Who was served releases on which day. A download is counted once for a device and
-- release, on the day of its first; that is exact in release_devices_v2, whose rows
-- are as many as the devices. Where they are too many, this is read instead, and a
-- device that was served the same release on several days counts on each of them.
-- Sketches as in activity_v1.
CREATE TABLE IF NOT EXISTS downloads_v1
(
    project_id  Int64,
    day         Date,
    -- '' in the row of the whole day, which alone has the sketches; the rows of single
    -- releases say what was served at all.
    update_uuid String,
    serves      SimpleAggregateFunction(sum, UInt64),
    -- Distinct pairs of device and release.
    downloads   AggregateFunction(uniqCombined64(13), String, String),
    devices     AggregateFunction(uniqCombined64(13), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, update_uuid)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS downloads_mv_v1 TO downloads_v1 AS
SELECT
    project_id,
    toDate(served_at) AS day,
    if(whole = 1, '', serves_v1.update_uuid) AS update_uuid,
    count() AS serves,
    uniqCombined64StateIf(13)(device_id, serves_v1.update_uuid, whole = 1) AS downloads,
    uniqCombined64StateIf(13)(device_id, whole = 1) AS devices
FROM serves_v1
ARRAY JOIN [0, 1] AS whole
WHERE kind IN ('manifest', 'asset', 'patch')
GROUP BY project_id, day, update_uuid;
