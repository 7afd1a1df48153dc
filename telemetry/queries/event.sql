-- A single event.
SELECT
    {event_columns}
FROM health_events
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime64(3, 'UTC')} AND received_at <= {to:DateTime64(3, 'UTC')}
    AND report_id = {report_id:UUID}
    AND event_index = {event_index:UInt32}
LIMIT 1
