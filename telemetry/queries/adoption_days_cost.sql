-- About the number of rows that adoption_days.sql reads without a sample.
SELECT sum(day_devices) AS devices
FROM
(
    SELECT uniqCombined64Merge(13)(activity.devices) AS day_devices
    FROM activity
    WHERE project_id = {project_id:Int64}
        AND grain = 'day'
        AND dims = 0
        AND at >= {from:DateTime('UTC')}
    GROUP BY at
)
SETTINGS max_threads = 1
