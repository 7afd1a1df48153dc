-- +goose NO TRANSACTION
-- +goose Up
-- Devices on which a release failed before its first render. Such a device reports
-- nothing of it; it names the release with every later request, for as long as it keeps
-- it. That is one crash of the device on the release, at the moment of the first: what
-- dashboards add to the crashes that devices reported. In release_devices_v2 these few
-- would have to be looked for among all devices.
CREATE TABLE IF NOT EXISTS failed_devices_v1
(
    project_id      Int64,
    update_uuid     String,
    device_id       String,
    -- As in the request: of the app, which is the one that the release failed in.
    channel         SimpleAggregateFunction(max, LowCardinality(String)),
    platform        SimpleAggregateFunction(max, LowCardinality(String)),
    runtime_version SimpleAggregateFunction(max, LowCardinality(String)),
    failed_at       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    -- The last time: a row must outlive what says the same again.
    touched_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, update_uuid, device_id)
-- As long as the roll-ups of days, see activity_v1.
TTL toDateTime(touched_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS failed_devices_mv_v1 TO failed_devices_v1 AS
SELECT
    project_id, update_uuid, device_id,
    max(serves_v1.channel)         AS channel,
    max(serves_v1.platform)        AS platform,
    max(serves_v1.runtime_version) AS runtime_version,
    min(served_at)                 AS failed_at,
    max(served_at)                 AS touched_at
FROM serves_v1
WHERE kind = 'failure'
GROUP BY project_id, update_uuid, device_id;

-- What was said before: minima and maxima, so running this again changes nothing.
INSERT INTO failed_devices_v1 (
    project_id, update_uuid, device_id, channel, platform, runtime_version, failed_at, touched_at
)
SELECT
    project_id, update_uuid, device_id,
    max(serves_v1.channel), max(serves_v1.platform), max(serves_v1.runtime_version), min(served_at), max(served_at)
FROM serves_v1
WHERE kind = 'failure'
GROUP BY project_id, update_uuid, device_id;
