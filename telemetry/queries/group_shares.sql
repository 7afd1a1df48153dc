-- An error group in a window, by update and by platform.
SELECT
    part.1                                          AS kind,
    part.2                                          AS name,
    part.3                                          AS value,
    sum(error_activity.events)                      AS events,
    sum(error_activity.occurrences)                 AS occurrences,
    uniqCombined64Merge(13)(error_activity.devices) AS devices
FROM error_activity
ARRAY JOIN [('update', '', update_uuid), ('platform', '', CAST(platform, 'String'))] AS part
WHERE project_id = {project_id:Int64}
    AND {group_window}
GROUP BY kind, name, value
ORDER BY events DESC, kind, value
LIMIT {most:UInt32}
