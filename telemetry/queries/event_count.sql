-- The number of events in a list, at most `most`: see telemetry_events.sql. ClickHouse ends a count that takes longer
-- than two seconds.
SELECT count() AS records
FROM
(
    SELECT 1
    FROM health_events
    PREWHERE {event_filter}
    WHERE project_id = {project_id:Int64}
        AND received_at >= {from:DateTime64(3, 'UTC')}
    LIMIT {most:UInt64}
)
SETTINGS max_execution_time = 2
