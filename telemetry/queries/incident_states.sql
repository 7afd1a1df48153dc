-- Devices of a release and channel in this hour, by the flag variations in their events.
SELECT
    state.1                                                AS flag_key,
    state.2                                                AS variation,
    uniqExact(device_id)                                   AS devices,
    uniqExactIf(device_id, type IN ('js_error', 'crash'))  AS errored
FROM
(
    SELECT
        device_id, type,
        {flag_states} AS state
    FROM health_events
    WHERE project_id = {project_id:Int64}
        AND received_at >= {recent:DateTime('UTC')}
        AND update_uuid = {update_uuid:String}
        AND channel = {channel:String}
        AND platform = {platform:String}
        AND runtime_version = {runtime_version:String}
        AND notEmpty(flag_states)
)
GROUP BY flag_key, variation
ORDER BY errored DESC, flag_key, variation
LIMIT {most:UInt32}
