-- Version of flag_health.sql that reads the events.
SELECT
    grouping(variation) AS whole,
    variation, channel,
    uniqExact(device_id)                                   AS devices,
    uniqExactIf(device_id, type IN ('js_error', 'crash'))  AS errored,
    uniqExactIf(device_id, type = 'crash')                 AS crashed
FROM
(
    SELECT substring(CAST(flag_states[{flag_key:String}], 'String'), 1, 256) AS variation, channel, device_id, type
    FROM health_events
    WHERE project_id = {project_id:Int64}
        AND received_at >= {from:DateTime('UTC')}
        AND mapContains(flag_states, {flag_key:String})
)
GROUP BY GROUPING SETS ((variation, channel), ())
ORDER BY whole DESC, devices DESC, variation, channel
LIMIT {most:UInt32}
