-- Devices of some streams by release since the start of an hour. A device that changed its release counts for each
-- release. This query is for streams with too few devices in a sample of all devices.
SELECT
    channel, platform, runtime_version, update_uuid,
    uniqCombined64Merge(13)(activity.devices) AS devices
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = 'hour'
    AND dims = 15
    AND at >= {from:DateTime('UTC')}
    AND (channel, platform, runtime_version) IN
        arrayZip({channels:Array(String)}, {platforms:Array(String)}, {runtime_versions:Array(String)})
GROUP BY channel, platform, runtime_version, update_uuid
ORDER BY devices DESC, channel, platform, runtime_version, update_uuid
LIMIT {most:UInt32}
SETTINGS max_threads = 1
