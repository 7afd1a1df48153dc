-- Devices whose reports on a release exceeded the rate limit since its rollout began, and without an accepted report
-- since then. Other devices count with their accepted reports. The parameters are the same as in release_devices.sql.
SELECT number, count() AS limited
FROM
(
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        reinterpretAsUInt128(sipHash128(device_id)) AS device_key
    FROM limited_devices
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
        AND touched_at >= {since:Array(DateTime64(3, 'UTC'))}[number]
    GROUP BY number, device_key
)
WHERE (number, device_key) NOT IN
(
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        device_key
    FROM device_releases
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
        AND (last_at >= {since:Array(DateTime64(3, 'UTC'))}[number] OR first_failed_at >= {since:Array(DateTime64(3, 'UTC'))}[number])
        -- With this condition, few rows are read by the primary key.
        AND device_key IN
        (
            SELECT reinterpretAsUInt128(sipHash128(device_id))
            FROM limited_devices
            WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
        )
)
GROUP BY number
