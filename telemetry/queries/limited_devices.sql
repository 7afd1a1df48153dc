-- Devices whose reports on a release were refused for their rate since its rollout began,
-- and of which no report was taken in since: the others are counted with what they
-- reported.
SELECT count()
FROM
(
    SELECT reinterpretAsUInt128(sipHash128(device_id)) AS device_key
    FROM limited_devices
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND touched_at >= {since:DateTime64(3, 'UTC')}
    GROUP BY device_key
)
WHERE device_key NOT IN
(
    SELECT device_key
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND (last_at >= {since:DateTime64(3, 'UTC')} OR first_failed_at >= {since:DateTime64(3, 'UTC')})
        -- Names few rows by the primary key.
        AND device_key IN
        (
            SELECT reinterpretAsUInt128(sipHash128(device_id))
            FROM limited_devices
            WHERE project_id = {project_id:Int64}
                AND update_uuid = {update_uuid:String}
        )
)
