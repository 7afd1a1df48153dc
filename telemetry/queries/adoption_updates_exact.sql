-- As adoption_updates.sql, exact.
SELECT
    grouping(update_uuid)                                    AS whole,
    update_uuid,
    if(update_uuid = '', device_days_v1.platform, '')        AS embedded_platform,
    if(update_uuid = '', device_days_v1.runtime_version, '') AS embedded_runtime_version,
    max(device_days_v1.platform)                             AS platform,
    max(device_days_v1.runtime_version)                      AS runtime_version,
    toUInt64(0)                                              AS reports,
    uniqExact(device_key)                                    AS devices
FROM device_days_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY GROUPING SETS ((update_uuid, embedded_platform, embedded_runtime_version), ())
ORDER BY whole DESC, devices DESC, update_uuid, platform, runtime_version
LIMIT {most:UInt32} BY whole
