-- Number of rows that adoption_updates.sql reads without a sample.
SELECT count() AS devices
FROM devices
WHERE project_id = {project_id:Int64}
SETTINGS max_threads = 1
