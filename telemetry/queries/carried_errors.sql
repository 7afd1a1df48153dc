-- Of the devices that count and had their release before the rollout began: those with
-- an error since it began and within 24 h of their first report. So only devices of the
-- day before the start are read. Parameters are those of release_devices.sql.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket
SELECT
    number,
    uniqExact(device_key)                AS errored,
    uniqExactIf(device_key, crashes > 0) AS crashed
FROM
(
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        {since:Array(DateTime64(3, 'UTC'))}[number]      AS start,
        reinterpretAsUInt128(sipHash128(device_id))      AS device_key,
        received_at,
        crashes
    FROM health_reports
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
        AND received_at >= start
        AND received_at < start + INTERVAL 24 HOUR
        AND js_errors + crashes > 0
    UNION ALL
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        {since:Array(DateTime64(3, 'UTC'))}[number]      AS start,
        device_key,
        min(ifNull(first_failed_at, never))              AS received_at,
        toUInt64(1)                                      AS crashes
    FROM device_releases
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
        AND first_failed_at IS NOT NULL
    GROUP BY number, device_key
    HAVING received_at >= start
) AS report
INNER JOIN
(
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        {since:Array(DateTime64(3, 'UTC'))}[number]                              AS start,
        {threshold:Array(UInt32)}[number]                                        AS share,
        device_key,
        least(min(ifNull(first_at, never)), min(ifNull(first_failed_at, never))) AS began_at,
        min(ifNull(share_bucket, no_bucket))                                     AS hashed_bucket,
        any(if(device_id = '', 100000,
            bitShiftRight(toUInt64(murmurHash3_32(concat({salt:Array(String)}[number], ':', device_id))) * 100000, 32)
        ))                                                                       AS bucket
    FROM device_releases
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
    GROUP BY number, device_key
    HAVING began_at < start
        AND began_at >= start - INTERVAL 24 HOUR
        AND max(first_served_at IS NOT NULL)
        AND (share >= 100000 OR if(hashed_bucket = no_bucket, bucket, hashed_bucket) < share)
) AS device USING (number, device_key)
WHERE received_at <= began_at + INTERVAL 24 HOUR
GROUP BY number
