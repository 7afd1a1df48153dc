-- +goose NO TRANSACTION
-- +goose Up
-- The embedded bundle is no release and is never rolled out, so its devices are
-- left out; there may be many of them.
CREATE MATERIALIZED VIEW IF NOT EXISTS release_devices_mv_v1 TO release_devices_v1 AS
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))         AS device_key,
    any(health_reports_v1.device_id)                    AS device_id,
    min(received_at)                                    AS first_at,
    max(received_at)                                    AS last_at,
    minOrNullIf(received_at, js_errors + crashes > 0)   AS first_error_at,
    minOrNullIf(received_at, crashes > 0)               AS first_crash_at,
    sum(health_reports_v1.launches)                     AS launches
FROM health_reports_v1
WHERE update_uuid != ''
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(health_reports_v1.device_id));
