SELECT
    reason, channel, platform, runtime_version,
    sum(refused_requests.requests)                    AS requests,
    uniqCombined64Merge(12)(refused_requests.devices) AS devices,
    max(last_at)                                      AS last_seen_at
FROM refused_requests
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY reason, channel, platform, runtime_version
ORDER BY last_seen_at DESC, requests DESC, reason, channel, platform, runtime_version
LIMIT {most:UInt32}
