-- Flags that clients evaluated or devices reported since a day.
SELECT DISTINCT flag_key
FROM
(
    SELECT flag_key
    FROM flag_evaluations
    WHERE project_id = {project_id:Int64}
        AND last_at >= {from:DateTime('UTC')}
    UNION ALL
    SELECT flag_key
    FROM flag_activity
    WHERE project_id = {project_id:Int64}
        AND grain = 'day'
        AND at >= {from:DateTime('UTC')}
)
ORDER BY flag_key
