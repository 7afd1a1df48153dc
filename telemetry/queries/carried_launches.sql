-- Launches since the rollout began, for a release that devices had before: their
-- totals in release_devices_v1 reach further back.
SELECT sum(launches)
FROM health_reports_v1
WHERE project_id = {project_id:Int64}
    AND update_uuid = {update_uuid:String}
    AND received_at >= {since:DateTime64(3, 'UTC')}
    AND launches > 0
    AND ({threshold:UInt32} >= 100000 OR (
        device_id != ''
        AND bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32) < {threshold:UInt32}
    ))
