-- Devices of each channel, platform and runtime version whose manifest requests were refused since the start of an
-- hour, for any reason.
SELECT
    channel, platform, runtime_version,
    uniqCombined64Merge(12)(refused_hours.devices) AS devices
FROM refused_hours
WHERE project_id = {project_id:Int64}
    AND at >= {from:DateTime('UTC')}
GROUP BY channel, platform, runtime_version
HAVING devices > 0
ORDER BY devices DESC, channel, platform, runtime_version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
