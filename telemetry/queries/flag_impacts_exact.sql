-- Version of flag_impacts.sql that reads the events.
SELECT
    state.1 AS flag_key, state.2 AS variation, update_uuid, channel, runtime_version,
    uniqExact(device_id)                                   AS devices,
    uniqExactIf(device_id, type IN ('js_error', 'crash'))  AS errored,
    uniqExactIf(device_id, type = 'crash')                 AS crashed
FROM
(
    SELECT
        update_uuid, channel, runtime_version, device_id, type,
        {flag_states} AS state
    FROM health_events
    WHERE project_id = {project_id:Int64}
        AND received_at >= {from:DateTime('UTC')}
        AND notEmpty(flag_states)
        AND ({flag_key:String} = '' OR mapContains(flag_states, {flag_key:String}))
        AND ({channel:String} = '' OR channel = {channel:String})
)
WHERE {flag_key:String} = '' OR state.1 = {flag_key:String}
GROUP BY flag_key, variation, update_uuid, channel, runtime_version
ORDER BY devices DESC, flag_key, variation, update_uuid, channel, runtime_version
LIMIT {most:UInt32}
