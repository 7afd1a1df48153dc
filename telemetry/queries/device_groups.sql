SELECT
    sipHash64(update_uuid, channel, platform, runtime_version) AS key,
    update_uuid, channel, platform, runtime_version
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = 'day'
    AND dims = 15
    AND at >= {from:DateTime('UTC')}
GROUP BY update_uuid, channel, platform, runtime_version
ORDER BY sum(activity.reports) DESC, key
LIMIT {most:UInt32}
