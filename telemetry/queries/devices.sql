-- A page of devices by their last report, latest first. FINAL keeps only the last report. device_ids are the names of
-- one device. search is a LIKE pattern; devices in search_ids match as well. The cursor is the last report and the
-- hex key of the last device on the previous page.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    received_at, update_uuid, channel, platform, runtime_version
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND (empty({device_ids:Array(String)})
        OR device_key IN arrayMap(id -> reinterpretAsUInt128(sipHash128(id)), {device_ids:Array(String)}))
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND (received_at, device_key) < ({at:DateTime64(3, 'UTC')}, reinterpretAsUInt128(reverse(unhex({after:String}))))
    AND ({search:String} = '' OR device_key IN
    (
        SELECT device_key
        FROM device_totals
        WHERE project_id = {project_id:Int64}
            AND (device_id LIKE {search:String} OR device_id IN {search_ids:Array(String)})
    ))
ORDER BY received_at DESC, device_key DESC
LIMIT {most:UInt32}
