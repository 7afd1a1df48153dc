-- The keys of a page of devices, sorted by a total of their reports: see devices.sql. Only devices in the list count.
-- The texts of keys and values are made for the rows of the page only.
SELECT
    leftPad(hex(device_key), 32, '0') AS key,
    toString(sorted_value)            AS value
FROM
(
    SELECT device_key, {sorted} AS sorted_value
    FROM device_totals
    WHERE project_id = {project_id:Int64}
        AND device_key IN
        (
            SELECT device_key
            FROM devices FINAL
            WHERE project_id = {project_id:Int64}
                AND {device_filter}
        )
    GROUP BY device_key
    HAVING {is_after}
    ORDER BY sorted_value {direction}, device_key {direction}
    LIMIT {most:UInt32}
)
ORDER BY sorted_value {direction}, device_key {direction}
SETTINGS optimize_aggregation_in_order = 1
