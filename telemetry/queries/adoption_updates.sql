-- Devices that reported anything in a window of whole days up to now, by release and all
-- together: whole weeks where there are, days before the first of them. Those on the
-- bundle inside the app have no release and are told apart by what app that is.
--
-- One thread: there is little to read, and what two have found must be merged.
SELECT
    grouping(update_uuid)                                      AS whole,
    update_uuid,
    if(update_uuid = '', activity_v2.platform, '')             AS embedded_platform,
    if(update_uuid = '', activity_v2.runtime_version, '')      AS embedded_runtime_version,
    max(activity_v2.platform)                                  AS platform,
    max(activity_v2.runtime_version)                           AS runtime_version,
    sum(activity_v2.reports)                                   AS reports,
    uniqCombined64Merge(13)(activity_v2.devices)               AS devices
FROM activity_v2
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND dims = 14
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
GROUP BY GROUPING SETS ((update_uuid, embedded_platform, embedded_runtime_version), ())
ORDER BY whole DESC, devices DESC, update_uuid, platform, runtime_version
LIMIT {most:UInt32} BY whole
SETTINGS max_threads = 1
