-- As timeseries.sql for buckets of days, from what each device did in each: exact,
-- and as slow as the devices are many. Reports are not told apart in a day.
SELECT
    toDateTime(day, 'UTC')               AS time,
    count()                              AS reports,
    sum(device_days_v1.launches)         AS launches,
    sum(device_days_v1.js_errors)        AS js_errors,
    sum(device_days_v1.crashes)          AS crashes,
    uniqExact(device_key)                AS devices,
    uniqExactIf(device_key, device_days_v1.js_errors + device_days_v1.crashes > 0) AS errored,
    uniqExactIf(device_key, device_days_v1.crashes > 0) AS crashed
FROM device_days_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
    AND day < toDate({until:DateTime('UTC')})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({runtime_version:String} = '' OR runtime_version = {runtime_version:String})
GROUP BY time
ORDER BY time
