-- Time of a flag's last evaluation, however long ago, or 1970 if the flag was never evaluated.
SELECT max(last_at) AS time
FROM flag_evaluations
WHERE project_id = {project_id:Int64}
    AND flag_key = {flag_key:String}
