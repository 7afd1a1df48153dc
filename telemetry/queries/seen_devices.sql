-- The devices of seen_devices_cost.sql, by ID. share is the fraction of them that is read, in 65,536ths.
SELECT
    named.device_id AS device_id,
    seen.channel, seen.platform, seen.runtime_version, seen.update_uuid
FROM
(
    SELECT device_key, channel, platform, runtime_version, update_uuid
    FROM devices FINAL
    WHERE project_id = {project_id:Int64}
        AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
        AND (channel IN {channels:Array(String)}
            AND (empty({platforms:Array(String)})
                OR (platform, runtime_version) IN arrayZip({platforms:Array(String)}, {runtime_versions:Array(String)}))
            OR update_uuid IN {updates:Array(String)})
        AND received_at >= {from:DateTime('UTC')}
) AS seen
INNER JOIN
(
    SELECT device_key, any(device_totals.device_id) AS device_id
    FROM device_totals
    WHERE project_id = {project_id:Int64}
        AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
    GROUP BY device_key
) AS named ON named.device_key = seen.device_key
LIMIT {most:UInt32}
