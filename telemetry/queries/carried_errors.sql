-- Of the devices in the share that had the release before the rollout began: those
-- with an error since it began and within 24 h of their first report. Few rows
-- carry an error, and none later than a day after the start can count, so this
-- stays cheap for a release that everybody has.
SELECT
    uniqExact(device_id)                   AS errored,
    uniqExactIf(device_id, crashes > 0)    AS crashed
FROM
(
    SELECT device_id, received_at, crashes
    FROM health_reports_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND received_at >= {since:DateTime64(3, 'UTC')}
        AND received_at < {since:DateTime64(3, 'UTC')} + INTERVAL 24 HOUR
        AND js_errors + crashes > 0
) AS report
INNER JOIN
(
    SELECT device_id, min(first_at) AS began_at
    FROM release_devices_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND ({threshold:UInt32} >= 100000 OR (
            device_id != ''
            AND bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32) < {threshold:UInt32}
        ))
    GROUP BY device_id
    HAVING began_at < {since:DateTime64(3, 'UTC')}
        AND began_at >= {since:DateTime64(3, 'UTC')} - INTERVAL 24 HOUR
) AS device USING (device_id)
WHERE received_at <= began_at + INTERVAL 24 HOUR
