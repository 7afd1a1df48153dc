-- Of the devices that count and had the release before the rollout began: those with
-- an error since it began and within 24 h of their first report. Only devices of the
-- day before the start can have one, and only in the day after it.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket
SELECT
    uniqExact(device_key)                AS errored,
    uniqExactIf(device_key, crashes > 0) AS crashed
FROM
(
    SELECT reinterpretAsUInt128(sipHash128(device_id)) AS device_key, received_at, crashes
    FROM health_reports
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND received_at >= {since:DateTime64(3, 'UTC')}
        AND received_at < {since:DateTime64(3, 'UTC')} + INTERVAL 24 HOUR
        AND js_errors + crashes > 0
    UNION ALL
    SELECT device_key, min(ifNull(first_failed_at, never)) AS received_at, toUInt64(1) AS crashes
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND first_failed_at IS NOT NULL
    GROUP BY device_key
    HAVING received_at >= {since:DateTime64(3, 'UTC')}
) AS report
INNER JOIN
(
    SELECT
        device_key,
        least(min(ifNull(first_at, never)), min(ifNull(first_failed_at, never))) AS began_at,
        min(ifNull(share_bucket, no_bucket))                                     AS hashed_bucket,
        any(if(device_id = '', 100000,
            bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32)
        ))                                                                       AS bucket
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
    GROUP BY device_key
    HAVING began_at < {since:DateTime64(3, 'UTC')}
        AND began_at >= {since:DateTime64(3, 'UTC')} - INTERVAL 24 HOUR
        AND max(first_served_at IS NOT NULL)
        AND ({threshold:UInt32} >= 100000
            OR if(hashed_bucket = no_bucket, bucket, hashed_bucket) < {threshold:UInt32})
) AS device USING (device_key)
WHERE received_at <= began_at + INTERVAL 24 HOUR
