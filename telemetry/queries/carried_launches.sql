-- Launches since the rollout began on the devices that count, for releases that devices had before the rollout. Their
-- totals in device_releases also contain earlier launches. The parameters are the same as in release_devices.sql.
SELECT
    transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
    sum(launches)                                                                         AS all_launches
FROM health_reports
WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
    AND received_at >= arrayMin({since:Array(DateTime64(3, 'UTC'))}) -- a constant, which bounds the parts that are read
    AND received_at >= {since:Array(DateTime64(3, 'UTC'))}[number]
    AND launches > 0
    AND ({threshold:Array(UInt32)}[number] >= 100000 OR ifNull(
        share_bucket,
        if(device_id = '', 100000, bitShiftRight(toUInt64(murmurHash3_32(concat({salt:Array(String)}[number], ':', device_id))) * 100000, 32))
    ) < {threshold:Array(UInt32)}[number])
    AND (update_uuid, reinterpretAsUInt128(sipHash128(device_id))) IN
    (
        SELECT update_uuid, device_key
        FROM device_releases
        WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
            AND first_served_at IS NOT NULL
    )
GROUP BY number
