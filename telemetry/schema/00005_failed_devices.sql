-- +goose NO TRANSACTION
-- +goose Up
-- Devices on which a release failed before its first render. Such a device names the release in every later request.
-- The first of these requests counts as a crash, which dashboards add to the reported crashes. device_releases
-- contains these rows together with all other devices.
CREATE TABLE IF NOT EXISTS failed_devices
(
    project_id      Int64,
    update_uuid     String,
    device_id       String,
    -- As in the request.
    channel         SimpleAggregateFunction(max, LowCardinality(String)),
    platform        SimpleAggregateFunction(max, LowCardinality(String)),
    runtime_version SimpleAggregateFunction(max, LowCardinality(String)),
    failed_at       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    -- Time of the last request. A row must outlive its repetitions.
    touched_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, update_uuid, device_id)
-- As long as the roll-ups by day (see activity).
TTL toDateTime(touched_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS failed_devices_mv TO failed_devices AS
SELECT
    project_id, update_uuid, device_id,
    max(exposures.channel)         AS channel,
    max(exposures.platform)        AS platform,
    max(exposures.runtime_version) AS runtime_version,
    min(served_at)                 AS failed_at,
    max(served_at)                 AS touched_at
FROM exposures
WHERE kind = 'failure'
GROUP BY project_id, update_uuid, device_id;
