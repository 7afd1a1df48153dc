-- Totals of the reports of devices, by their keys in hex.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    any(device_totals.device_id)      AS device_id,
    min(device_totals.first_at)       AS first_at,
    sum(device_totals.js_errors)      AS js_errors,
    sum(device_totals.crashes)        AS crashes
FROM device_totals
WHERE project_id = {project_id:Int64}
    AND device_key IN arrayMap(k -> reinterpretAsUInt128(reverse(unhex(k))), {keys:Array(String)})
GROUP BY device_key
