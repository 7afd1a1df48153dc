-- Some of the latest events of an error group. The samples contain the position of each event, so events are read by
-- the primary key.
SELECT
    {event_columns}
FROM health_events
WHERE project_id = {project_id:Int64}
    AND (received_at, report_id, event_index) IN
    (
        SELECT received_at, report_id, event_index
        FROM error_samples FINAL
        WHERE project_id = {project_id:Int64}
            AND fingerprint = {fingerprint:UInt64}
    )
ORDER BY received_at DESC, report_id DESC, event_index DESC
LIMIT {most:UInt32}
