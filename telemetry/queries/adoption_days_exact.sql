-- Exact version of adoption_days.sql.
SELECT
    toDateTime(day, 'UTC') AS time,
    update_uuid,
    uniqExact(device_key)  AS devices
FROM device_days
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY time, update_uuid
ORDER BY time, devices DESC, update_uuid
LIMIT {most:UInt32} BY time
