-- Exact version of timeseries.sql, from the reports. The cost grows with their number.
SELECT
    grouping(time)                       AS whole,
    toStartOfInterval(toDateTime(reported_at, 'UTC'), toIntervalSecond({bucket:UInt32})) AS time,
    toUInt64(0)                          AS reports,
    sum(device_launches)                 AS launches,
    sum(device_errors)                   AS js_errors,
    sum(device_crashes)                  AS crashes,
    uniqExact(device_id)                 AS devices,
    uniqExactIf(device_id, device_errors + device_crashes > 0) AS errored,
    uniqExactIf(device_id, device_crashes > 0) AS crashed
FROM
(
    SELECT
        received_at AS reported_at, device_id,
        health_reports.launches AS device_launches, health_reports.js_errors AS device_errors,
        health_reports.crashes AS device_crashes
    FROM health_reports
    WHERE project_id = {project_id:Int64}
        AND received_at >= {from:DateTime('UTC')}
        AND received_at < {until:DateTime('UTC')}
        AND {matches}
    UNION ALL
    SELECT failed_at AS reported_at, device_id, 0 AS device_launches, 0 AS device_errors, 1 AS device_crashes
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND failed_at < {until:DateTime('UTC')}
        AND {matches}
)
GROUP BY GROUPING SETS ((time), ())
ORDER BY whole, time
