-- How many reports timeseries_reports.sql would read, as timeseries.sql tells besides.
SELECT sum(activity.reports) AS reports
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = {grain:String}
    AND dims = {dims:UInt8}
    AND at >= {from:DateTime('UTC')}
    AND at < {until:DateTime('UTC')}
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({runtime_version:String} = '' OR runtime_version = {runtime_version:String})
