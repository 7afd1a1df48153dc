-- Which reports of a stretch of time have events that are stored.
SELECT DISTINCT toString(report_id) AS id
FROM health_events_v2
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime64(3, 'UTC')}
    AND received_at <= {until:DateTime64(3, 'UTC')}
