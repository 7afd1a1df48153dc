-- Version of flags_health.sql that reads the events.
SELECT
    grouping(variation) AS whole,
    flag_key, variation, channel,
    uniqExact(device_id)                                   AS devices,
    uniqExactIf(device_id, type IN ('js_error', 'crash'))  AS errored,
    uniqExactIf(device_id, type = 'crash')                 AS crashed
FROM
(
    SELECT state.1 AS flag_key, state.2 AS variation, channel, device_id, type
    FROM
    (
        SELECT channel, device_id, type, {flag_states} AS state
        FROM health_events
        WHERE project_id = {project_id:Int64}
            AND received_at >= {from:DateTime('UTC')}
            AND notEmpty(flag_states)
    )
)
GROUP BY GROUPING SETS ((flag_key, variation, channel), (flag_key))
ORDER BY flag_key, whole DESC, devices DESC, variation, channel
LIMIT {most:UInt32} BY flag_key
