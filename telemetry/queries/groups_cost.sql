-- Number of errors and crashes of a project that a count of its events reads.
SELECT sum(error_activity.occurrences) AS cost
FROM error_activity
WHERE project_id = {project_id:Int64}
    AND grain = 'hour' AND dims = 0
    AND at >= {from:DateTime('UTC')} AND at < {to:DateTime('UTC')}
