-- Events of some error groups by hour.
SELECT
    fingerprint, at,
    sum(error_activity.events) AS events
FROM error_activity
WHERE project_id = {project_id:Int64}
    AND grain = 'hour'
    AND dims = {dims:UInt8}
    AND at >= {from:DateTime('UTC')} AND at < {to:DateTime('UTC')}
    AND fingerprint IN {fingerprints:Array(UInt64)}
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
GROUP BY fingerprint, at
