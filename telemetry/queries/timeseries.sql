-- Buckets of the roll-ups and the whole period, with failures before the first render. Sums are exact. Distinct devices are as exact as the
-- sketches (see schema/00007_activity.sql). FINAL merges the rows of a device and release before failed_at, the first
-- failure, is compared. reports is the number of rows that timeseries_reports.sql reads; timeseries_days.sql does not
-- read more.
--
-- There is one thread per half of the UNION. Each further thread would create its own sketches of every bucket, which
-- must then be merged.
SELECT
    grouping(time) AS whole,
    time,
    sum(bucket_reports)                         AS reports,
    sum(bucket_launches)                        AS launches,
    sum(bucket_js_errors)                       AS js_errors,
    sum(bucket_crashes)                         AS crashes,
    uniqCombined64Merge(13)(bucket_devices)     AS devices,
    uniqCombined64Merge(13)(bucket_errored)     AS errored,
    uniqCombined64Merge(13)(bucket_crashed)     AS crashed
FROM
(
    SELECT
        toStartOfInterval(at, toIntervalSecond({bucket:UInt32})) AS time,
        activity.reports   AS bucket_reports,
        activity.launches  AS bucket_launches,
        activity.js_errors AS bucket_js_errors,
        activity.crashes   AS bucket_crashes,
        activity.devices   AS bucket_devices,
        activity.errored   AS bucket_errored,
        activity.crashed   AS bucket_crashed
    FROM activity
    WHERE project_id = {project_id:Int64}
        AND grain = {grain:String}
        AND dims = {dims:UInt8}
        AND at >= {from:DateTime('UTC')}
        AND at < {until:DateTime('UTC')}
        AND {matches}
    SETTINGS max_threads = 1
    UNION ALL
    SELECT
        toStartOfInterval(toDateTime(failed_at, 'UTC'), toIntervalSecond({bucket:UInt32})) AS time,
        0                                   AS bucket_reports,
        0                                   AS bucket_launches,
        0                                   AS bucket_js_errors,
        count()                             AS bucket_crashes,
        uniqCombined64State(13)(device_id)  AS bucket_devices,
        uniqCombined64State(13)(device_id)  AS bucket_errored,
        uniqCombined64State(13)(device_id)  AS bucket_crashed
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND failed_at < {until:DateTime('UTC')}
        AND {matches}
    GROUP BY time
    SETTINGS max_threads = 1
)
GROUP BY GROUPING SETS ((time), ())
ORDER BY whole, time
SETTINGS max_threads = 2
