-- Exposures and reports of a device on some releases, latest first.
SELECT
    update_uuid,
    max(device_releases.touched_at)      AS touched_at,
    min(device_releases.first_served_at) AS first_served_at,
    min(device_releases.first_at)        AS first_at,
    max(device_releases.last_at)         AS last_at,
    min(device_releases.first_error_at)  AS first_error_at,
    min(device_releases.first_crash_at)  AS first_crash_at,
    min(device_releases.first_failed_at) AS first_failed_at,
    max(device_releases.platform)        AS platform,
    max(device_releases.channel)         AS channel,
    max(device_releases.runtime_version) AS runtime_version
FROM device_releases
WHERE project_id = {project_id:Int64}
    AND update_uuid IN {updates:Array(String)}
    AND device_key IN arrayMap(id -> reinterpretAsUInt128(sipHash128(id)), {device_ids:Array(String)})
GROUP BY update_uuid
ORDER BY touched_at DESC, update_uuid
LIMIT {most:UInt32}
