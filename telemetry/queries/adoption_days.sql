-- Devices by day, under the release in their last report of the day. FINAL keeps only that report. The embedded update
-- counts as a release. share is the fraction of the devices that is read, in 65,536ths.
SELECT
    toDateTime(day, 'UTC') AS time,
    update_uuid,
    count()                AS devices
FROM adoption_days FINAL
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
    AND ({share:UInt32} >= 65536 OR device_key < bitShiftLeft(toUInt128({share:UInt32}), 112))
GROUP BY time, update_uuid
ORDER BY time, devices DESC, update_uuid
LIMIT {most:UInt32} BY time
SETTINGS max_threads = 1
