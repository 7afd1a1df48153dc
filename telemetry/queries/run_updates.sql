-- The updates that devices have ever reported.
SELECT update_uuid
FROM release_days
WHERE project_id = {project_id:Int64}
    AND update_uuid != ''
GROUP BY update_uuid
ORDER BY update_uuid
LIMIT {most:UInt32}
