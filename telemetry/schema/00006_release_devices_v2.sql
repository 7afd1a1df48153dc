-- +goose NO TRANSACTION
-- +goose Up
-- What one device did on one release, in one row, as release_devices_v1 (see there
-- for why there is no time bucket in the key), and besides what Waft did for the
-- device: a decision counts a device only when Waft served it the release. A device
-- that was served and never reported has a row as well, and one that reported a
-- release that it was never served, so both sides can be counted.
--
-- Codecs are the default, LZ4: this table is small and read again and again.
CREATE TABLE IF NOT EXISTS release_devices_v2
(
    project_id      Int64,
    -- Never empty: the embedded bundle is no release.
    update_uuid     String,
    -- SipHash-128 of device_id. Grouping by it costs half of grouping by the text,
    -- and among 10^9 devices two share one with a chance of 10^-21.
    device_key      UInt128,
    device_id       SimpleAggregateFunction(any, String),
    -- Of the device's health reports on the release; NULL before the first.
    first_at        SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_at         SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    -- NULL while the device never had one; min passes over it.
    first_error_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    first_crash_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- When the device first said that the release failed before its first render,
    -- which it repeats with every request: one crash, at that moment.
    first_failed_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- When Waft first served the update to the device, in a manifest or as the launch
    -- asset; NULL when it never did. A row with it is one download.
    first_served_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    launches        SimpleAggregateFunction(sum, UInt64),
    -- Of what was served, '' before that.
    platform        SimpleAggregateFunction(max, LowCardinality(String)),
    channel         SimpleAggregateFunction(max, LowCardinality(String)),
    runtime_version SimpleAggregateFunction(max, LowCardinality(String)),
    -- As in serves_v1.
    share_bucket    SimpleAggregateFunction(min, Nullable(UInt32)),
    -- The last that was heard of the device on the release, whatever it was.
    touched_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
-- No partitions: rows of a device must meet to be merged, whatever their day.
ORDER BY (project_id, update_uuid, device_key)
-- Well past the 90 days for which a release's devices are asked for.
TTL toDateTime(touched_at) + INTERVAL 180 DAY
SETTINGS non_replicated_deduplication_window = 10000;
