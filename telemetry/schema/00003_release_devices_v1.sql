-- +goose NO TRANSACTION
-- +goose Up
-- What one device did on one release, in one row: the health of a release is then
-- a scan of its devices, however much each of them reported.
--
-- Why no time bucket in the key: a rollout counts from its start, and whether an
-- error counts depends on the device's first report, so any bucket would be exact
-- only at its edges. With the moments themselves everything is exact for a device
-- that is new since the start, which is every device of a release published with
-- a policy. A device that had the release before the rollout began is known by
-- first_at, and what it did since is read from health_reports_v1 (see
-- queries/carried_*.sql).
--
-- Codecs are the default, LZ4: this table is small and read again and again.
CREATE TABLE IF NOT EXISTS release_devices_v1
(
    project_id     Int64,
    update_uuid    String,
    -- SipHash-128 of device_id. Grouping by it costs half of grouping by the text,
    -- and among 10^9 devices two share one with a chance of 10^-21.
    device_key     UInt128,
    device_id      SimpleAggregateFunction(any, String),
    first_at       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    -- NULL while the device never had one; min passes over it.
    first_error_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    first_crash_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    launches       SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
-- No partitions: rows of a device must meet to be merged, whatever their day.
ORDER BY (project_id, update_uuid, device_key)
-- Well past the 90 days for which a release's devices are asked for.
TTL toDateTime(last_at) + INTERVAL 180 DAY
SETTINGS non_replicated_deduplication_window = 10000;
