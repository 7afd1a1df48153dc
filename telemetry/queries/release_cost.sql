-- Number of rows of health_reports that release_reports.sql reads for each update.
SELECT update_uuid, sum(activity.reports) AS reports
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = 'hour'
    AND dims = 14
    AND at >= {from:DateTime('UTC')}
    AND update_uuid IN {updates:Array(String)}
GROUP BY update_uuid
SETTINGS max_threads = 1
