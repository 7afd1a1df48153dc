-- Devices by the release in their last report, and all devices together. Devices on the embedded update are grouped
-- by platform and runtime version. FINAL keeps only a device's last report. share is the fraction of the devices that
-- is read, in 65,536ths.
SELECT
    grouping(update_uuid)                               AS whole,
    update_uuid,
    if(update_uuid = '', devices.platform, '')          AS embedded_platform,
    if(update_uuid = '', devices.runtime_version, '')   AS embedded_runtime_version,
    max(devices.platform)                               AS platform,
    max(devices.runtime_version)                        AS runtime_version,
    count()                                             AS devices
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
    AND received_at >= {from:DateTime('UTC')}
GROUP BY GROUPING SETS ((update_uuid, embedded_platform, embedded_runtime_version), ())
ORDER BY whole DESC, devices DESC, update_uuid, platform, runtime_version
LIMIT {most:UInt32} BY whole
