-- Devices of the error groups in a window, counted from the events.
SELECT
    fingerprint,
    count()               AS occurrences,
    uniqExact(device_id)  AS devices
FROM health_events
WHERE project_id = {project_id:Int64}
    AND {group_events}
GROUP BY fingerprint
