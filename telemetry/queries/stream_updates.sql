-- Devices by what each last reported since the start of an hour. FINAL keeps only a device's last report, which is since
-- then when any of its reports is: PREWHERE leaves the others out before FINAL compares reports, which takes most of the
-- time. The share, in 65,536ths, is the sample of the devices that is read. More threads would read a sample in more CPU
-- time.
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
