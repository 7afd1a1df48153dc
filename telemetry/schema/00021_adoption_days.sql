-- +goose NO TRANSACTION
-- +goose Up
-- The last report of each device on each day (UTC), for adoption by day: a device counts once a day. device_key follows
-- the day in the key, so a range of it is a sample of the devices of a day.
CREATE TABLE IF NOT EXISTS adoption_days
(
    project_id  Int64,
    day         Date,
    -- SipHash-128 of device_id, as in device_releases.
    device_key  UInt128,
    -- Values of the last report of the day.
    received_at DateTime64(3, 'UTC'),
    -- '' for the embedded update.
    update_uuid String
)
ENGINE = ReplacingMergeTree(received_at)
-- Partitions are months, so rows of the same device and day are always in the same partition.
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, device_key)
TTL day + INTERVAL 400 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS adoption_days_mv TO adoption_days AS
SELECT
    project_id, day, device_key,
    last.1 AS received_at,
    last.2 AS update_uuid
FROM
(
    SELECT
        project_id,
        toDate(health_reports.received_at)          AS day,
        reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
        max((health_reports.received_at, health_reports.update_uuid)) AS last
    FROM health_reports
    GROUP BY project_id, day, device_key
);

-- Earlier days: the stored reports, which show the order of a device's releases, and device_days for days before them,
-- which does not. Rows with a later received_at replace others, so the inserts can be repeated.
INSERT INTO adoption_days
SELECT project_id, day, device_key, toDateTime64(day, 3, 'UTC') AS received_at, last AS update_uuid
FROM
(
    SELECT project_id, day, device_key, max(update_uuid) AS last
    FROM device_days
    GROUP BY project_id, day, device_key
);

INSERT INTO adoption_days
SELECT project_id, day, device_key, last.1 AS received_at, last.2 AS update_uuid
FROM
(
    SELECT
        project_id,
        toDate(received_at)                         AS day,
        reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
        max((received_at, update_uuid)) AS last
    FROM health_reports
    GROUP BY project_id, day, device_key
);
