-- The devices of a release and channel in this hour by the flag variations that their
-- events name, and those of them with errors.
SELECT
    state.1                                                AS flag_key,
    state.2                                                AS variation,
    uniqExact(device_id)                                   AS devices,
    uniqExactIf(device_id, type IN ('js_error', 'crash'))  AS errored
FROM
(
    SELECT
        device_id, type,
        arrayJoin(arraySlice(arraySort(arrayFilter(
            s -> match(s.1, '^[a-z0-9][a-z0-9._-]{0,127}$'),
            arrayMap((k, v) -> (CAST(k, 'String'), substring(CAST(v, 'String'), 1, 256)), mapKeys(flag_states), mapValues(flag_states))
        )), 1, 100)) AS state
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
