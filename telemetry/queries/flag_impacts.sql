-- How devices fared under each variation of each flag, by release and channel. cost
-- is how many states flag_impacts_exact.sql would read, oldest the first
-- state; both are the same in every row.
SELECT
    flag_key, variation, update_uuid, channel, runtime_version,
    uniqCombined64Merge(12)(flag_activity_v1.devices) AS devices,
    uniqCombined64Merge(12)(flag_activity_v1.errored) AS errored,
    uniqCombined64Merge(12)(flag_activity_v1.crashed) AS crashed,
    sum(sum(states)) OVER () AS cost,
    min(min(first_at)) OVER ()     AS oldest
FROM flag_activity_v1
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
    AND ({flag_key:String} = '' OR flag_key = {flag_key:String})
    AND ({channel:String} = '' OR channel = {channel:String})
GROUP BY flag_key, variation, update_uuid, channel, runtime_version
ORDER BY devices DESC, flag_key, variation, update_uuid, channel, runtime_version
LIMIT {most:UInt32}
