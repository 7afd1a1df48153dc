-- The first observation of a rollout in each interval (length in milliseconds) and in each stage, newest first.
SELECT
    min(observed_at)                     AS first_at,
    stage_index,
    argMin(percentage, observed_at)      AS percentage,
    argMin(devices, observed_at)         AS devices,
    argMin(errored_devices, observed_at) AS errored_devices,
    argMin(crashed_devices, observed_at) AS crashed_devices,
    argMin(evidence, observed_at)        AS evidence,
    argMin(ignored_devices, observed_at) AS ignored_devices,
    argMin(event_names, observed_at)      AS event_names,
    argMin(event_directions, observed_at) AS event_directions,
    argMin(event_devices, observed_at)    AS event_devices,
    argMin(event_reported, observed_at)   AS event_reported
FROM rollout_observations
WHERE project_id = {project_id:Int64}
    AND execution_id = {execution_id:Int64}
    AND observed_at >= {from:DateTime64(3, 'UTC')}
GROUP BY stage_index, intDiv(toUnixTimestamp64Milli(observed_at), {interval:Int64})
ORDER BY first_at DESC
LIMIT {most:UInt32}
