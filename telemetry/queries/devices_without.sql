-- The keys of a page of devices without an error, or without a crash, sorted by key: see devices_by_count.sql. ClickHouse reads them in
-- the order of the primary key and stops at the end of the page.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    '0'                               AS value
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND {device_filter}
    AND {is_after}
    AND device_key NOT IN
    (
        SELECT device_key
        FROM device_totals
        WHERE project_id = {project_id:Int64}
            AND {counted} > 0
    )
ORDER BY device_key {direction}
LIMIT 1 BY device_key
LIMIT {most:UInt32}
