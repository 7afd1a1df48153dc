-- +goose NO TRANSACTION
-- +goose Up
-- The last report of each device, for the distribution of adoption. device_key is uniformly distributed and follows
-- the project in the key. A range of it is therefore a sample of the devices, and reading it costs only as much as
-- the sample.
CREATE TABLE IF NOT EXISTS devices
(
    project_id      Int64,
    -- SipHash-128 of device_id, as in device_releases.
    device_key      UInt128,
    -- Values of the last report.
    received_at     DateTime64(3, 'UTC'),
    -- '' for the embedded update.
    update_uuid     String,
    channel         LowCardinality(String),
    platform        LowCardinality(String),
    runtime_version LowCardinality(String)
)
ENGINE = ReplacingMergeTree(received_at)
-- There are no partitions, because rows of a device must be replaced regardless of their day.
ORDER BY (project_id, device_key)
TTL toDateTime(received_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS devices_mv TO devices AS
SELECT
    project_id,
    device_key,
    last.1 AS received_at,
    last.2 AS update_uuid,
    last.3 AS channel,
    last.4 AS platform,
    last.5 AS runtime_version
FROM
(
    SELECT
        project_id,
        reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
        max((health_reports.received_at, health_reports.update_uuid, health_reports.channel, health_reports.platform, health_reports.runtime_version)) AS last
    FROM health_reports
    GROUP BY project_id, device_key
);
