-- When a flag was evaluated last, however long ago; 1970 when it never was.
SELECT max(last_at) AS time
FROM flag_evaluations
WHERE project_id = {project_id:Int64}
    AND flag_key = {flag_key:String}
