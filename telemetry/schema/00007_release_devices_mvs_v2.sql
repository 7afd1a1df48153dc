-- +goose NO TRANSACTION
-- +goose Up
-- Of a project that hashes device ids, the bucket is computed before the hash.
ALTER TABLE health_reports_v1 ADD COLUMN IF NOT EXISTS share_bucket Nullable(UInt32) CODEC(ZSTD(1));

CREATE MATERIALIZED VIEW IF NOT EXISTS release_devices_reports_mv_v2 TO release_devices_v2 AS
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))       AS device_key,
    any(health_reports_v1.device_id)                  AS device_id,
    min(received_at)                                  AS first_at,
    max(received_at)                                  AS last_at,
    minOrNullIf(received_at, js_errors + crashes > 0) AS first_error_at,
    minOrNullIf(received_at, crashes > 0)             AS first_crash_at,
    sum(health_reports_v1.launches)                   AS launches,
    min(health_reports_v1.share_bucket)               AS share_bucket,
    max(received_at)                                  AS touched_at
FROM health_reports_v1
WHERE update_uuid != ''
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(health_reports_v1.device_id));

-- A failure tells nothing of platform, channel and runtime version: the device runs
-- something else by then. Nobody downloads or runs a directive to roll back.
CREATE MATERIALIZED VIEW IF NOT EXISTS release_devices_serves_mv_v2 TO release_devices_v2 AS
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))             AS device_key,
    any(serves_v1.device_id)                                AS device_id,
    minOrNullIf(served_at, kind = 'failure')                AS first_failed_at,
    minOrNullIf(served_at, kind != 'failure')               AS first_served_at,
    maxIf(serves_v1.platform, kind != 'failure')            AS platform,
    maxIf(serves_v1.channel, kind != 'failure')             AS channel,
    maxIf(serves_v1.runtime_version, kind != 'failure')     AS runtime_version,
    min(serves_v1.share_bucket)                             AS share_bucket,
    max(served_at)                                          AS touched_at
FROM serves_v1
WHERE kind != 'rollback'
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(serves_v1.device_id));
