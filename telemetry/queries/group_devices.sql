-- Distinct devices of unions of groups. unions contains the number of the union of each key.
SELECT
    arrayJoin(arrayFilter(
        (part, key) -> key = sipHash64(update_uuid, channel, platform, runtime_version),
        {unions:Array(UInt32)}, {keys:Array(UInt64)}
    )) AS part,
    uniqCombined64Merge(13)(activity.devices) AS devices
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = 'day'
    AND dims = 15
    AND at >= {from:DateTime('UTC')}
GROUP BY part
