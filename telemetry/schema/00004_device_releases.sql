-- +goose NO TRANSACTION
-- +goose Up
-- One row per device and release, with its reports and exposures. The health of a release is a scan of its devices. A
-- device has a row even if it was served the release and never reported, or reported the release and was never served
-- it.
--
-- The key does not contain time, because a rollout counts from its start and an error counts by the time of the
-- device's first report. For a device that had the release before the start, which first_at shows, reports are read
-- from health_reports (see queries/carried_*.sql).
--
-- The codecs are the default, LZ4, because this table is small and read often.
CREATE TABLE IF NOT EXISTS device_releases
(
    project_id      Int64,
    -- Never empty: the embedded update is not a release.
    update_uuid     String,
    -- SipHash-128 of device_id. Grouping by it costs half as much as grouping by the string. Among 10^9 devices, two
    -- have the same key with a probability of 10^-21.
    device_key      UInt128,
    device_id       SimpleAggregateFunction(any, String),
    -- Times of the device's health reports on the release. NULL before the first report.
    first_at        SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_at         SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    -- NULL until the device has its first one; min ignores NULL.
    first_error_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    first_crash_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- Time at which the device first reported that the release failed before its first render. The device repeats
    -- this with every request.
    first_failed_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- The first exposure, by a manifest or as the launch asset. It counts as one download. NULL without an exposure.
    first_served_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- The same exposure: its time in milliseconds (the upper 64 bits) and its network (the lower 64 bits). They form
    -- one number, because min of numbers is fast, unlike argMin.
    first_serve     SimpleAggregateFunction(min, Nullable(UInt128)),
    launches        SimpleAggregateFunction(sum, UInt64),
    -- From the exposure; '' before the first exposure.
    platform        SimpleAggregateFunction(max, LowCardinality(String)),
    channel         SimpleAggregateFunction(max, LowCardinality(String)),
    runtime_version SimpleAggregateFunction(max, LowCardinality(String)),
    -- As in exposures.
    share_bucket    SimpleAggregateFunction(min, Nullable(UInt32)),
    -- Time of the last report or exposure of the device on the release.
    touched_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
-- There are no partitions, because rows of a device must be merged regardless of their day.
ORDER BY (project_id, update_uuid, device_key)
-- Longer than the 90 days for which the devices of a release can be queried.
TTL toDateTime(touched_at) + INTERVAL 180 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_releases_reports_mv TO device_releases AS
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))       AS device_key,
    any(health_reports.device_id)                     AS device_id,
    min(received_at)                                  AS first_at,
    max(received_at)                                  AS last_at,
    minOrNullIf(received_at, js_errors + crashes > 0) AS first_error_at,
    minOrNullIf(received_at, crashes > 0)             AS first_crash_at,
    sum(health_reports.launches)                      AS launches,
    min(health_reports.share_bucket)                  AS share_bucket,
    max(received_at)                                  AS touched_at
FROM health_reports
WHERE update_uuid != ''
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(health_reports.device_id));

-- A failure does not have a platform, channel or runtime version, because the device then runs another update. A
-- directive to roll back is neither downloaded nor run.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_releases_exposures_mv TO device_releases AS
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))         AS device_key,
    any(exposures.device_id)                            AS device_id,
    minOrNullIf(served_at, kind = 'failure')            AS first_failed_at,
    minOrNullIf(served_at, kind != 'failure')           AS first_served_at,
    minOrNullIf(
        bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(served_at)), 64), toUInt128(network)), kind != 'failure'
    )                                                   AS first_serve,
    maxIf(exposures.platform, kind != 'failure')        AS platform,
    maxIf(exposures.channel, kind != 'failure')         AS channel,
    maxIf(exposures.runtime_version, kind != 'failure') AS runtime_version,
    min(exposures.share_bucket)                         AS share_bucket,
    max(served_at)                                      AS touched_at
FROM exposures
WHERE kind != 'rollback'
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(exposures.device_id));
