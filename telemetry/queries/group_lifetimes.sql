-- All sightings of the error groups that occurred in a window. On a cluster, a group may also be on a shard that did
-- not have it in the window, so IN is GLOBAL.
SELECT
    fingerprint, update_uuid, platform,
    any(error_groups.type)           AS type,
    any(error_groups.error_name)     AS error_name,
    any(error_groups.culprit)        AS culprit,
    argMinMerge(error_groups.title)  AS title,
    min(error_groups.first_at)       AS first_at,
    max(error_groups.last_at)        AS last_at,
    max(({channel:String} = '' OR channel = {channel:String})
        AND ({platform:String} = '' OR platform = {platform:String})
        AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})) AS selected
FROM error_groups
WHERE project_id = {project_id:Int64}
    AND fingerprint GLOBAL IN
    (
        SELECT fingerprint
        FROM error_activity
        WHERE project_id = {project_id:Int64}
            AND {group_window}
    )
GROUP BY fingerprint, update_uuid, platform
ORDER BY fingerprint, first_at
LIMIT {most:UInt32}
