-- Of the devices in the share that had the release before the rollout began: those
-- with an error since it began and within 24 h of their first report. Only devices
-- of the day before the start can have one, and only in the day after it.
SELECT
    uniqExact(device_key)                AS errored,
    uniqExactIf(device_key, crashes > 0) AS crashed
FROM
(
    SELECT reinterpretAsUInt128(sipHash128(device_id)) AS device_key, received_at, crashes
    FROM health_reports_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND received_at >= {since:DateTime64(3, 'UTC')}
        AND received_at < {since:DateTime64(3, 'UTC')} + INTERVAL 24 HOUR
        AND js_errors + crashes > 0
) AS report
INNER JOIN
(
    SELECT device_key, min(first_at) AS began_at
    FROM release_devices_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND ({threshold:UInt32} >= 100000 OR (
            device_id != ''
            AND bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32) < {threshold:UInt32}
        ))
    GROUP BY device_key
    HAVING began_at < {since:DateTime64(3, 'UTC')}
        AND began_at >= {since:DateTime64(3, 'UTC')} - INTERVAL 24 HOUR
) AS device USING (device_key)
WHERE received_at <= began_at + INTERVAL 24 HOUR
