-- How devices fared under each variation of one flag: by variation and channel, and
-- all together, which is the row whose whole is 1. cost and oldest as in
-- flag_impacts.sql.
SELECT
    grouping(variation) AS whole,
    variation, channel,
    uniqCombined64Merge(12)(flag_activity_v1.devices) AS devices,
    uniqCombined64Merge(12)(flag_activity_v1.errored) AS errored,
    uniqCombined64Merge(12)(flag_activity_v1.crashed) AS crashed,
    max(sum(states)) OVER ()  AS cost,
    min(min(first_at)) OVER ()      AS oldest
FROM flag_activity_v1
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
    AND flag_key = {flag_key:String}
GROUP BY GROUPING SETS ((variation, channel), ())
ORDER BY whole DESC, devices DESC, variation, channel
LIMIT {most:UInt32}
