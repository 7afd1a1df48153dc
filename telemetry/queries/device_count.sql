-- The number of devices in a list: see devices.sql. ClickHouse ends a count that takes longer than two seconds.
SELECT count() AS records
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND {device_filter}
SETTINGS max_execution_time = 2
