-- Of the devices in the share that had the release before the rollout began: those
-- with an error since it began and within 24 h of their first report. Few reports
-- tell of an error, none later than a day after the start can count, and only the
-- devices of such reports are looked up, so this stays cheap for a release that
-- everybody has.
WITH error_reports AS
(
    SELECT reinterpretAsUInt128(sipHash128(device_id)) AS device_key, received_at, crashes
    FROM health_reports_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND received_at >= {since:DateTime64(3, 'UTC')}
        AND received_at < {since:DateTime64(3, 'UTC')} + INTERVAL 24 HOUR
        AND js_errors + crashes > 0
)
SELECT
    uniqExact(device_key)                AS errored,
    uniqExactIf(device_key, crashes > 0) AS crashed
FROM error_reports
INNER JOIN
(
    SELECT device_key, min(first_at) AS began_at
    FROM release_devices_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND device_key IN (SELECT device_key FROM error_reports)
        AND ({threshold:UInt32} >= 100000 OR (
            device_id != ''
            AND bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32) < {threshold:UInt32}
        ))
    GROUP BY device_key
    HAVING began_at < {since:DateTime64(3, 'UTC')}
        AND began_at >= {since:DateTime64(3, 'UTC')} - INTERVAL 24 HOUR
) AS device USING (device_key)
WHERE received_at <= began_at + INTERVAL 24 HOUR
