-- Version of release_devices.sql for releases that devices had before the rollout began. Such a device counts as
-- affected if its first error since the rollout began is within 24 hours of the device's first report. So only
-- reports of the day after the start are read, and constants limit the parts. carried_launches.sql counts the
-- launches.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket,
    toUInt128(-1) AS no_serve
SELECT
    number,
    sum(allocation_not_served)   AS not_served,
    sum(allocation_not_in_share) AS not_in_share,
    {votes}
FROM
(
    SELECT
        number,
        sum(network_not_served)   AS allocation_not_served,
        sum(network_not_in_share) AS allocation_not_in_share,
        {allocation}
    FROM
    (
    SELECT
        number,
        {max_per_network:Array(UInt64)}[number]                                     AS most,
        countIf(counts)                                                             AS counted,
        countIf(counts AND if(since_start, error_at <= began_at + INTERVAL 24 HOUR,
            carried_error_at <= began_at + INTERVAL 24 HOUR))                       AS counted_errored,
        countIf(counts AND if(since_start, crash_at <= began_at + INTERVAL 24 HOUR,
            carried_crash_at <= began_at + INTERVAL 24 HOUR))                       AS counted_crashed,
        countIf(NOT served)                                                         AS network_not_served,
        countIf(served AND NOT in_share)                                            AS network_not_in_share,
        {network}
    FROM
    (
        SELECT
            device.*,
            -- The first error and crash since the rollout began, reported or as a failure. The join returns zero for a
            -- device without an error or crash.
            if(device.failed_at >= device.start, device.failed_at, never) AS failed_since,
            least(if(report.error_since >= device.start, report.error_since, never), failed_since) AS carried_error_at,
            least(if(report.crash_since >= device.start, report.crash_since, never), failed_since) AS carried_crash_at
        FROM
        (
        {devices}
        ) AS device
        LEFT JOIN
        (
            SELECT
                transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
                reinterpretAsUInt128(sipHash128(device_id))  AS device_key,
                min(received_at)                             AS error_since,
                min(if(crashes > 0, received_at, never))     AS crash_since
            FROM health_reports
            WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
                AND received_at >= arrayMin({since:Array(DateTime64(3, 'UTC'))})
                AND received_at < arrayMax({since:Array(DateTime64(3, 'UTC'))}) + INTERVAL 24 HOUR
                AND received_at >= {since:Array(DateTime64(3, 'UTC'))}[number]
                AND received_at < {since:Array(DateTime64(3, 'UTC'))}[number] + INTERVAL 24 HOUR
                AND js_errors + crashes > 0
            GROUP BY number, device_key
        ) AS report USING (number, device_key)
    )
    GROUP BY number, network
    )
    GROUP BY number, allocation
)
GROUP BY number
