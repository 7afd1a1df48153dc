-- Exact version of served_counts.sql, from the reports. The cost grows with their number. It has two threads because it
-- takes the longest of an overview's queries.
SELECT
    channel, platform, runtime_version, updates,
    uniqExact(device_id)                                      AS devices,
    uniqExactIf(device_id, device_errors + device_crashes > 0) AS errored,
    uniqExactIf(device_id, device_crashes > 0)                AS crashed
FROM
(
    SELECT
        channel, platform, runtime_version, device_id, device_errors, device_crashes,
        arrayJoin({sets:Array(Array(UInt32))}[transform(update_uuid, {updates:Array(String)}, {indices:Array(UInt32)}, toUInt32(0))]) AS updates
    FROM
    (
        SELECT
            channel, platform, runtime_version, update_uuid, device_id,
            health_reports.js_errors AS device_errors,
            health_reports.crashes   AS device_crashes
        FROM health_reports
        WHERE project_id = {project_id:Int64}
            AND received_at >= {from:DateTime('UTC')}
            AND update_uuid IN {updates:Array(String)}
        UNION ALL
        SELECT channel, platform, runtime_version, update_uuid, device_id, 0 AS device_errors, 1 AS device_crashes
        FROM failed_devices FINAL
        WHERE project_id = {project_id:Int64}
            AND failed_at >= {from:DateTime('UTC')}
            AND update_uuid IN {updates:Array(String)}
    )
)
GROUP BY channel, platform, runtime_version, updates
ORDER BY devices DESC, channel, platform, runtime_version, updates
LIMIT {most:UInt32}
SETTINGS max_threads = 2
