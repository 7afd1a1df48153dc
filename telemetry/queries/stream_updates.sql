-- Devices by their last report since the start of an hour. FINAL keeps only a device's last report. PREWHERE can
-- filter by time before FINAL compares reports, because the last report is in the period if any report is. That saves
-- most of the time. share is the fraction of the devices that is read, in 65,536ths. More threads would need more CPU
-- time for a sample.
SELECT
    channel, platform, runtime_version, update_uuid,
    count() AS devices
FROM devices FINAL
PREWHERE received_at >= {from:DateTime('UTC')}
WHERE project_id = {project_id:Int64}
    AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
GROUP BY channel, platform, runtime_version, update_uuid
ORDER BY devices DESC, channel, platform, runtime_version, update_uuid
LIMIT {most:UInt32}
SETTINGS max_threads = 1
