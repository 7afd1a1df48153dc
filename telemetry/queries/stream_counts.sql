-- Distinct devices that reported of each channel, platform and runtime version since the start of an hour.
SELECT
    channel, platform, runtime_version,
    uniqCombined64Merge(13)(activity.devices) AS devices
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = 'hour'
    AND dims = 7
    AND at >= {from:DateTime('UTC')}
GROUP BY channel, platform, runtime_version
ORDER BY devices DESC, channel, platform, runtime_version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
