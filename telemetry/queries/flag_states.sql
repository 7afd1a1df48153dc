-- Number of states that flag_impacts_exact.sql and flag_health_exact.sql read, and the time of the first.
SELECT sum(states) AS states, min(first_at) AS oldest
FROM flag_activity
WHERE project_id = {project_id:Int64}
    AND grain IN ('day', 'week')
    AND at >= {from:DateTime('UTC')}
    AND (grain = 'week' OR at < {monday:DateTime('UTC')})
    AND ({flag_key:String} = '' OR flag_key = {flag_key:String})
    AND ({channel:String} = '' OR channel = {channel:String})
