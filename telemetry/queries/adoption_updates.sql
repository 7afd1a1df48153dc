-- The same devices by release. Those on the bundle inside the app have no release and
-- are told apart by what app that is.
SELECT
    toDateTime(0, 'UTC')                                       AS time,
    update_uuid,
    if(update_uuid = '', activity_v1.platform, '')             AS embedded_platform,
    if(update_uuid = '', activity_v1.runtime_version, '')      AS embedded_runtime_version,
    max(activity_v1.platform)                                  AS platform,
    max(activity_v1.runtime_version)                           AS runtime_version,
    uniqCombined64Merge(13)(activity_v1.devices)               AS devices
FROM activity_v1
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND dims = 14
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
GROUP BY update_uuid, embedded_platform, embedded_runtime_version
ORDER BY devices DESC, update_uuid, platform, runtime_version
LIMIT {most:UInt32}
