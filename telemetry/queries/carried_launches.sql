-- Launches since the rollout began, of the devices that count, for a release that
-- devices had before: their totals in device_releases reach further back.
SELECT sum(launches)
FROM health_reports
WHERE project_id = {project_id:Int64}
    AND update_uuid = {update_uuid:String}
    AND received_at >= {since:DateTime64(3, 'UTC')}
    AND launches > 0
    AND ({threshold:UInt32} >= 100000 OR ifNull(
        share_bucket,
        if(device_id = '', 100000, bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32))
    ) < {threshold:UInt32})
    AND reinterpretAsUInt128(sipHash128(device_id)) IN
    (
        SELECT device_key
        FROM device_releases
        WHERE project_id = {project_id:Int64}
            AND update_uuid = {update_uuid:String}
            AND first_served_at IS NOT NULL
    )
