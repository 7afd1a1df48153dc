-- Buckets of the roll-ups. Sums are exact; distinct devices are as exact as the
-- sketches, see schema/00010_activity_v1.sql. dims names the kind of rows that the
-- filters need.
SELECT
    toStartOfInterval(at, toIntervalSecond({bucket:UInt32})) AS time,
    sum(activity_v1.reports)             AS reports,
    sum(activity_v1.launches)            AS launches,
    sum(activity_v1.js_errors)           AS js_errors,
    sum(activity_v1.crashes)             AS crashes,
    uniqCombined64Merge(13)(activity_v1.devices) AS devices,
    uniqCombined64Merge(13)(activity_v1.errored) AS errored,
    uniqCombined64Merge(13)(activity_v1.crashed) AS crashed
FROM activity_v1
WHERE project_id = {project_id:Int64}
    AND grain = {grain:String}
    AND dims = {dims:UInt8}
    AND at >= {from:DateTime('UTC')}
    AND at < {until:DateTime('UTC')}
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({runtime_version:String} = '' OR runtime_version = {runtime_version:String})
GROUP BY time
ORDER BY time
