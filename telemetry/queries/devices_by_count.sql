-- The keys of a page of devices that reported at least one error, or at least one crash, sorted by the number: see devices.sql. Rows
-- without errors or crashes are left out before they are summed, so the cost depends on the devices that have some.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    toString(sorted_value)            AS value
FROM
(
    SELECT device_key, {sorted} AS sorted_value
    FROM device_totals
    WHERE project_id = {project_id:Int64}
        AND {counted} > 0
        AND device_key IN
        (
            SELECT device_key
            FROM devices FINAL
            WHERE project_id = {project_id:Int64}
                AND {device_filter}
                AND device_key IN
                (
                    SELECT device_key
                    FROM device_totals
                    WHERE project_id = {project_id:Int64}
                        AND {counted} > 0
                )
        )
    GROUP BY device_key
    HAVING {is_after}
    ORDER BY sorted_value {direction}, device_key {direction}
    LIMIT {most:UInt32}
)
ORDER BY sorted_value {direction}, device_key {direction}
