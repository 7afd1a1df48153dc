-- An error group by flag and variation, over the days of a window.
SELECT
    'flag'                                       AS kind,
    flag_key                                     AS name,
    variation                                    AS value,
    sum(error_flags.events)                      AS events,
    toUInt64(0)                                  AS occurrences,
    uniqCombined64Merge(12)(error_flags.devices) AS devices
FROM error_flags
WHERE project_id = {project_id:Int64}
    AND fingerprint = {fingerprint:UInt64}
    AND day >= toDate({from:DateTime('UTC')}) AND day <= toDate({to:DateTime('UTC')} - 1)
GROUP BY name, value
ORDER BY events DESC, name, value
LIMIT {most:UInt32}
