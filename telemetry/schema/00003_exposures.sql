-- +goose NO TRANSACTION
-- +goose Up
-- Exposures: one row per device, release and kind in each flush of an API process. device_releases.first_served_at
-- counts a download once per device and release.
CREATE TABLE IF NOT EXISTS exposures
(
    project_id      Int64,
    served_at       DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    -- Lower case; hashed if the project hashes IDs. Never empty.
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- The release's own update ID, even if the device was served an alias of it.
    update_uuid     String CODEC(ZSTD(1)),
    -- manifest: the response was an update. rollback: the response was a directive to run the embedded update. asset:
    -- the launch asset was downloaded. patch: it was downloaded as a binary patch. failure: nothing was served; the
    -- device reported that the update failed before its first render.
    kind            LowCardinality(String),
    -- The device's bucket for the release, 0 to 99,999. It is 100,000 for a device that is only inside a rollout at
    -- 100%. It is NULL if the bucket can be computed from device_id (see queries/release_devices.sql).
    share_bucket    Nullable(UInt32) CODEC(ZSTD(1)),
    -- The network from which the device was served: a keyed hash of an IPv4 /24 or IPv6 /48, or of the device if it
    -- counts as its own network. 0 if it is unknown.
    network         UInt64
)
ENGINE = MergeTree
PARTITION BY toDate(served_at)
ORDER BY (project_id, update_uuid, served_at)
TTL toDateTime(served_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 10000;
