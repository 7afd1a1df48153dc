SELECT
    toDateTime(day, 'UTC') AS time,
    value,
    sum(evaluations)       AS times
FROM flag_evaluations
WHERE project_id = {project_id:Int64}
    AND flag_key = {flag_key:String}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY time, value
ORDER BY time, times DESC, value
