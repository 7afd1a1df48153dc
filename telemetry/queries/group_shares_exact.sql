-- An error group in a window, by update, platform, flag and variation, counted from its events.
SELECT
    part.1               AS kind,
    part.2               AS name,
    part.3               AS value,
    sum(event.count)     AS events,
    count()              AS occurrences,
    uniqExact(device_id) AS devices
FROM
(
    SELECT
        device_id, count,
        arrayConcat(
            [('update', '', update_uuid), ('platform', '', CAST(platform, 'String'))],
            arrayMap(s -> ('flag', s.1, s.2), {flag_states_list})
        ) AS parts
    FROM health_events
    WHERE project_id = {project_id:Int64}
        AND {group_events}
) AS event
ARRAY JOIN parts AS part
GROUP BY kind, name, value
ORDER BY events DESC, kind, name, value
LIMIT {most:UInt32}
