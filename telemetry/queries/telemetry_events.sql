-- A page of events, newest first. The cursor is a position in the order of the table, so every page costs the same.
-- search is a LIKE pattern (see schema/00001_health_events.sql). An empty list of types means all types.
--
-- PREWHERE checks the filters before the cursor, because the cursor needs the report_id of every row. The setting
-- applies indexes before reading begins, because opening the skipped parts took half the time.
SELECT
    {event_columns}
FROM health_events
PREWHERE (empty({types:Array(String)}) OR type IN {types:Array(String)})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND (empty({device_ids:Array(String)}) OR device_id IN {device_ids:Array(String)})
    AND ({search:String} = ''
        OR lowerUTF8(concat(message, '\0', name, '\0', error_name)) LIKE lowerUTF8({search:String}))
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime64(3, 'UTC')}
    AND received_at <= {at:DateTime64(3, 'UTC')}
    AND (received_at, report_id, event_index) < ({at:DateTime64(3, 'UTC')}, {report_id:UUID}, {event_index:UInt32})
ORDER BY received_at DESC, report_id DESC, event_index DESC
LIMIT {most:UInt32} OFFSET {skip:UInt32}
SETTINGS use_skip_indexes_on_data_read = 0
