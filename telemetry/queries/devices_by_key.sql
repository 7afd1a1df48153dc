-- The last reports of devices, by their keys in hex.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    received_at, update_uuid, channel, platform, runtime_version
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND device_key IN arrayMap(k -> reinterpretAsUInt128(reverse(unhex(k))), {keys:Array(String)})
