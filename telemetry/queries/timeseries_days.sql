-- Exact version of timeseries.sql for buckets of days, from the rows of devices. The cost grows with the number of
-- devices. Reports are not counted.
SELECT
    grouping(time)                       AS whole,
    toDateTime(active_on, 'UTC')         AS time,
    toUInt64(0)                          AS reports,
    sum(device_launches)                 AS launches,
    sum(device_errors)                   AS js_errors,
    sum(device_crashes)                  AS crashes,
    uniqExact(device)                    AS devices,
    uniqExactIf(device, device_errors + device_crashes > 0) AS errored,
    uniqExactIf(device, device_crashes > 0) AS crashed
FROM
(
    SELECT
        day AS active_on, device_key AS device,
        device_days.launches AS device_launches, device_days.js_errors AS device_errors,
        device_days.crashes AS device_crashes
    FROM device_days
    WHERE project_id = {project_id:Int64}
        AND day >= toDate({from:DateTime('UTC')})
        AND day < toDate({until:DateTime('UTC')})
        AND {matches}
    UNION ALL
    SELECT
        toDate(failed_at) AS active_on, reinterpretAsUInt128(sipHash128(failed_devices.device_id)) AS device,
        0 AS device_launches, 0 AS device_errors, 1 AS device_crashes
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND failed_at < {until:DateTime('UTC')}
        AND {matches}
)
GROUP BY GROUPING SETS ((time), ())
ORDER BY whole, time
