-- A page of events, newest or oldest first. The cursor is a position in the order of the table, so every page costs the
-- same. search is a LIKE pattern (see schema/00001_health_events.sql). An empty list of types means all types.
-- telemetry/events.go inserts the comparison with the cursor and the direction.
--
-- PREWHERE checks the filters before the cursor, because the cursor needs the report_id of every row. The setting
-- applies indexes before reading begins, because opening the skipped parts took half the time.
SELECT
    {event_columns}
FROM health_events
PREWHERE {event_filter}
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime64(3, 'UTC')}
    AND received_at <= {to:DateTime64(3, 'UTC')}
    AND (received_at, report_id, event_index) {compared} ({at:DateTime64(3, 'UTC')}, {report_id:UUID}, {event_index:UInt32})
ORDER BY received_at {direction}, report_id {direction}, event_index {direction}
LIMIT {most:UInt32} OFFSET {skip:UInt32}
SETTINGS use_skip_indexes_on_data_read = 0
