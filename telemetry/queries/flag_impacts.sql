-- Health of devices with each variation of each flag, by release and channel. It reads days before the first Monday,
-- weeks before the first span, and then spans.
SELECT
    flag_key, variation, update_uuid, channel, runtime_version,
    uniqCombined64Merge(12)(part_devices) AS devices,
    uniqCombined64Merge(12)(part_errored) AS errored,
    uniqCombined64Merge(12)(part_crashed) AS crashed
FROM
(
    SELECT
        flag_key, variation, update_uuid, channel, runtime_version,
        flag_activity.devices AS part_devices, flag_activity.errored AS part_errored, flag_activity.crashed AS part_crashed
    FROM flag_activity
    WHERE project_id = {project_id:Int64}
        AND grain IN ('day', 'week')
        AND at >= {from:DateTime('UTC')}
        AND at < {span:DateTime('UTC')}
        AND (grain = 'week' OR at < {monday:DateTime('UTC')})
        AND ({flag_key:String} = '' OR flag_key = {flag_key:String})
        AND ({channel:String} = '' OR channel = {channel:String})
    UNION ALL
    SELECT
        flag_key, variation, update_uuid, channel, runtime_version,
        flag_spans.devices AS part_devices, flag_spans.errored AS part_errored, flag_spans.crashed AS part_crashed
    FROM flag_spans
    WHERE project_id = {project_id:Int64}
        AND at >= {span:DateTime('UTC')}
        AND ({flag_key:String} = '' OR flag_key = {flag_key:String})
        AND ({channel:String} = '' OR channel = {channel:String})
)
GROUP BY flag_key, variation, update_uuid, channel, runtime_version
ORDER BY devices DESC, flag_key, variation, update_uuid, channel, runtime_version
LIMIT {most:UInt32}
