-- +goose NO TRANSACTION
-- +goose Up
-- Exposures: one row for each device, release and kind in each flush of an API process. A
-- download is counted once for a device and release, in device_releases.first_served_at.
CREATE TABLE IF NOT EXISTS exposures
(
    project_id      Int64,
    served_at       DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    -- Lower case; hashed where the project says so. Never empty.
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- The release's own update id, also when the device was served an alias of it.
    update_uuid     String CODEC(ZSTD(1)),
    -- manifest: an update was answered. rollback: a directive to run the embedded update
    -- was answered. asset: the launch asset was downloaded, patch: as a binary patch.
    -- failure: nothing was served; the device said that the update failed before its
    -- first render.
    kind            LowCardinality(String),
    -- The device's bucket in the release's share, 0 to 99,999; 100,000 for a device that
    -- is only in the full share; NULL where the bucket can be computed from device_id
    -- (see queries/release_devices.sql).
    share_bucket    Nullable(UInt32) CODEC(ZSTD(1)),
    -- Where the device was served from: a keyed hash of an IPv4 /24 or IPv6 /48, or of the
    -- device where that is a network of its own. 0 where it is not known.
    network         UInt64
)
ENGINE = MergeTree
PARTITION BY toDate(served_at)
ORDER BY (project_id, update_uuid, served_at)
TTL toDateTime(served_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;
