-- +goose NO TRANSACTION
-- +goose Up
-- One row for each device and release, of its reports and exposures. The health of a
-- release is a scan of its devices. There is a row also for a device that was served the
-- release and never reported, or reported it and was never served.
--
-- The key has no time bucket: a rollout counts from its start, and whether an error counts
-- depends on the device's first report. Of a device that had the release before the start,
-- which first_at tells, reports are read from health_reports (see queries/carried_*.sql).
--
-- Codecs are the default, LZ4: this table is small and read often.
CREATE TABLE IF NOT EXISTS device_releases
(
    project_id      Int64,
    -- Never empty: the embedded update is no release.
    update_uuid     String,
    -- SipHash-128 of device_id. Grouping by it costs half of grouping by the text, and
    -- among 10^9 devices two share one with a probability of 10^-21.
    device_key      UInt128,
    device_id       SimpleAggregateFunction(any, String),
    -- Of the device's health reports on the release; NULL before the first.
    first_at        SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_at         SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    -- NULL while the device never had one; min ignores NULL.
    first_error_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    first_crash_at  SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- When the device first reported that the release failed before its first render, which
    -- it repeats with every request.
    first_failed_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- The first exposure, in a manifest or as the launch asset: one download. NULL when there
    -- is none.
    first_served_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    -- The same exposure: its time in milliseconds (the upper 64 bits) and its network (the
    -- lower 64 bits). In one number, because min of numbers is fast, unlike argMin.
    first_serve     SimpleAggregateFunction(min, Nullable(UInt128)),
    launches        SimpleAggregateFunction(sum, UInt64),
    -- Of the exposure; '' before the first.
    platform        SimpleAggregateFunction(max, LowCardinality(String)),
    channel         SimpleAggregateFunction(max, LowCardinality(String)),
    runtime_version SimpleAggregateFunction(max, LowCardinality(String)),
    -- As in exposures.
    share_bucket    SimpleAggregateFunction(min, Nullable(UInt32)),
    -- The last report or exposure of the device on the release.
    touched_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
-- No partitions: rows of a device must meet to be merged, whatever their day.
ORDER BY (project_id, update_uuid, device_key)
-- Longer than the 90 days for which a release's devices are asked for.
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

-- A failure says nothing of platform, channel and runtime version: the device runs
-- another update by then. A directive to roll back is neither downloaded nor run.
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
