-- A page of events, newest first. Where the last page ended is a place in the order of
-- the table, so that a page costs the same wherever it lies.
SELECT
    event_id, received_at, report_id, event_index, type, name, message, error_name, is_fatal, count,
    stack_trace, component_stack, tags, flag_states, device_id, platform, channel, runtime_version, update_uuid
FROM health_events_v1
WHERE project_id = {project_id:Int64}
    AND received_at >= {from:DateTime64(3, 'UTC')}
    AND received_at <= {at:DateTime64(3, 'UTC')}
    AND (received_at, report_id, event_index) < ({at:DateTime64(3, 'UTC')}, {report_id:UUID}, {event_index:UInt32})
    AND type IN {types:Array(String)}
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND (empty({device_ids:Array(String)}) OR device_id IN {device_ids:Array(String)})
    AND ({search:String} = ''
        OR positionCaseInsensitiveUTF8(message, {search:String}) > 0
        OR positionCaseInsensitiveUTF8(name, {search:String}) > 0
        OR positionCaseInsensitiveUTF8(error_name, {search:String}) > 0)
ORDER BY received_at DESC, report_id DESC, event_index DESC
LIMIT {most:UInt32} OFFSET {skip:UInt32}
