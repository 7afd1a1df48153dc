-- Number of reports that timeseries_reports.sql reads.
SELECT sum(activity.reports) AS reports
FROM activity
WHERE project_id = {project_id:Int64}
    AND grain = {grain:String}
    AND dims = {dims:UInt8}
    AND at >= {from:DateTime('UTC')}
    AND at < {until:DateTime('UTC')}
    AND {matches}
