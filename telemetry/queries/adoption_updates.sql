-- Devices that reported in a window up to now, each once, by what it last reported: by
-- release and all together. Those on the embedded update have no release and are told
-- apart by platform and runtime version. FINAL keeps a device's last report only. The
-- share, in 65,536ths, is the sample of the devices that is read.
SELECT
    grouping(update_uuid)                               AS whole,
    update_uuid,
    if(update_uuid = '', devices.platform, '')          AS embedded_platform,
    if(update_uuid = '', devices.runtime_version, '')   AS embedded_runtime_version,
    max(devices.platform)                               AS platform,
    max(devices.runtime_version)                        AS runtime_version,
    count()                                             AS found
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
    AND received_at >= {from:DateTime('UTC')}
GROUP BY GROUPING SETS ((update_uuid, embedded_platform, embedded_runtime_version), ())
ORDER BY whole DESC, found DESC, update_uuid, platform, runtime_version
LIMIT {most:UInt32} BY whole
