-- As timeseries.sql, from the reports themselves: exact, and as slow as they are many.
SELECT
    toStartOfInterval(toDateTime(received_at, 'UTC'), toIntervalSecond({bucket:UInt32})) AS time,
    count()                              AS reports,
    sum(health_reports_v1.launches)      AS launches,
    sum(health_reports_v1.js_errors)     AS js_errors,
    sum(health_reports_v1.crashes)       AS crashes,
    uniqExact(device_id)                 AS devices,
    uniqExactIf(device_id, health_reports_v1.js_errors + health_reports_v1.crashes > 0) AS errored,
    uniqExactIf(device_id, health_reports_v1.crashes > 0) AS crashed
FROM health_reports_v1
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime('UTC')}
    AND received_at < {until:DateTime('UTC')}
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({runtime_version:String} = '' OR runtime_version = {runtime_version:String})
GROUP BY time
ORDER BY time
