-- Manifest requests of the last 30 days that got nothing, the latest first: days before
-- the first Monday, weeks from then on. Why devices are the greater of two, see
-- schema/00034_refused_v2.sql.
SELECT
    reason, channel, platform, runtime_version,
    sum(refused_v2.requests) AS requests,
    greatest(uniqCombined64Merge(12)(refused_v2.devices), uniqCombined64Merge(17)(earlier_devices)) AS devices,
    max(last_at) AS last_seen_at
FROM refused_v2
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND at >= toDate({from:DateTime('UTC')})
    AND (grain = 'week' OR at < toDate({monday:DateTime('UTC')}))
GROUP BY reason, channel, platform, runtime_version
ORDER BY last_seen_at DESC, requests DESC, reason, channel, platform, runtime_version
LIMIT {most:UInt32}
