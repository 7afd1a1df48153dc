-- Devices that reported anything in a window of whole days up to now: whole weeks
-- where there are, days before the first of them.
SELECT
    sum(activity_v1.reports) AS reports,
    uniqCombined64Merge(13)(activity_v1.devices) AS devices
FROM activity_v1
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND dims = 0
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
