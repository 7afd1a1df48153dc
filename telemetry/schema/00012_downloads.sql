-- +goose NO TRANSACTION
-- +goose Up
-- Exposures of releases by day. It is read if device_releases has too many rows for an exact result. A device that
-- was served the same release on several days counts on each day. Sketches are as in activity.
CREATE TABLE IF NOT EXISTS downloads
(
    project_id  Int64,
    day         Date,
    -- '' in the row for the whole day; only this row has the sketches.
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

CREATE MATERIALIZED VIEW IF NOT EXISTS downloads_mv TO downloads AS
SELECT
    project_id,
    toDate(served_at) AS day,
    if(whole = 1, '', exposures.update_uuid) AS update_uuid,
    count() AS serves,
    uniqCombined64StateIf(13)(device_id, exposures.update_uuid, whole = 1) AS downloads,
    uniqCombined64StateIf(13)(device_id, whole = 1) AS devices
FROM exposures
ARRAY JOIN [0, 1] AS whole
WHERE kind IN ('manifest', 'asset', 'patch')
GROUP BY project_id, day, update_uuid;
