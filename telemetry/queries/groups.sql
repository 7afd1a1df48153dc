-- Error groups that occurred in a window, most frequent first. The window consists of days and of the hours before
-- and after them.
SELECT
    fingerprint,
    sum(error_activity.events)                      AS events,
    sum(error_activity.occurrences)                 AS occurrences,
    uniqCombined64Merge(13)(error_activity.devices) AS devices
FROM error_activity
WHERE project_id = {project_id:Int64}
    AND {group_window}
GROUP BY fingerprint
ORDER BY events DESC, fingerprint
LIMIT {most:UInt32}
