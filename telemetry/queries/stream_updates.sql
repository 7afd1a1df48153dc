-- Devices by what each last reported since the start of an hour. FINAL keeps only a device's last report. The share,
-- in 65,536ths, is the sample of the devices that is read.
SELECT
    channel, platform, runtime_version, update_uuid,
    count() AS devices
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
    AND received_at >= {from:DateTime('UTC')}
GROUP BY channel, platform, runtime_version, update_uuid
ORDER BY devices DESC, channel, platform, runtime_version, update_uuid
LIMIT {most:UInt32}
