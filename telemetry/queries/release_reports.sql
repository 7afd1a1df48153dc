-- Exact version of release_counts.sql, from the reports. The cost grows with their number.
SELECT
    update_uuid,
    uniqExact(device_id)                                      AS devices,
    uniqExactIf(device_id, device_errors + device_crashes > 0) AS errored,
    uniqExactIf(device_id, device_crashes > 0)                AS crashed
FROM
(
    SELECT update_uuid, device_id, health_reports.js_errors AS device_errors, health_reports.crashes AS device_crashes
    FROM health_reports
    WHERE project_id = {project_id:Int64}
        AND received_at >= {from:DateTime('UTC')}
        AND update_uuid IN {updates:Array(String)}
    UNION ALL
    SELECT update_uuid, device_id, 0 AS device_errors, 1 AS device_crashes
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND update_uuid IN {updates:Array(String)}
)
GROUP BY update_uuid
SETTINGS max_threads = 1
