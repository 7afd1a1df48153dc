-- Manifest requests of the last 30 days that got nothing, the latest first.
SELECT
    reason, channel, platform, runtime_version,
    sum(refused_v1.requests)                     AS requests,
    uniqCombined64Merge(17)(refused_v1.devices)  AS devices,
    max(last_at)                                 AS last_seen_at
FROM refused_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY reason, channel, platform, runtime_version
ORDER BY last_seen_at DESC, requests DESC, reason, channel, platform, runtime_version
LIMIT {most:UInt32}
