-- As adoption_total.sql, exact.
SELECT
    count()               AS reports,
    uniqExact(device_key) AS devices
FROM device_days_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
