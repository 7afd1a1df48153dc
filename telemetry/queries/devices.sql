-- A page of devices, sorted by a value of their last report. FINAL keeps only the last report. device_ids are the names
-- of one device. search is a LIKE pattern; devices in search_ids match as well. Reports without a device ID are not
-- from one device. telemetry/devices.go inserts the sorted expression, the comparison with the last device on the
-- previous page, if there is one, and the direction.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    toString({sorted})                AS value,
    received_at, update_uuid, channel, platform, runtime_version
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND {device_filter}
    AND {is_after}
ORDER BY {sorted} {direction}, device_key {direction}
LIMIT {most:UInt32}
