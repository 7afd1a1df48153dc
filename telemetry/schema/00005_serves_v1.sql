-- +goose NO TRANSACTION
-- +goose Up
-- What Waft served to which device, one row for each device, release and kind in
-- each flush of an API process (a fraction of a second), so a device that asks again
-- and again may have several rows. A download, counted once for a device and
-- release, is release_devices_v2.first_served_at; count that, not these rows.
CREATE TABLE IF NOT EXISTS serves_v1
(
    project_id      Int64,
    served_at       DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    -- Lower case; hashed where the project says so. Never empty.
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- The release's own update uuid, also when the device was served an alias of it.
    update_uuid     String CODEC(ZSTD(1)),
    -- manifest: an update was answered. rollback: a directive to go back to the
    -- embedded update was. asset: the launch asset was downloaded, patch: as a binary
    -- patch. failure: nothing was served; the device said that the update failed
    -- before its first render.
    kind            LowCardinality(String),
    -- Where the device stands in the release's share, 0 to 99,999, 100,000 for one that
    -- is only in the full share; NULL where device_id itself can tell (see
    -- queries/release_devices.sql).
    share_bucket    Nullable(UInt32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toDate(served_at)
ORDER BY (project_id, update_uuid, served_at)
TTL toDateTime(served_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;
