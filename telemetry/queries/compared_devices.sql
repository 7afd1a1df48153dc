-- Devices of a channel, platform and runtime version that reported since a share
-- was applied, by whether the share holds them, whatever release they run: those
-- that use the app more would weigh more among those that have updated already.
-- One counts as affected when an error falls within 24 h of its first report in the
-- window, so that time alone makes no device affected.
--
-- Only devices that Waft has served some release count: the endpoint for reports is
-- open, and invented devices must move no rollout. So devices that never ran but the
-- embedded bundle are in no group, nor is one without an id. The share is as in
-- release_devices.sql.
SELECT
    in_share,
    count()                                                          AS devices,
    countIf(ifNull(error_at <= began_at + INTERVAL 24 HOUR, false))  AS errored,
    countIf(ifNull(crash_at <= began_at + INTERVAL 24 HOUR, false))  AS crashed
FROM
(
    SELECT
        bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32)
            < {threshold:UInt32} AS in_share,
        min(received_at) AS began_at,
        minOrNullIf(received_at, js_errors + crashes > 0) AS error_at,
        minOrNullIf(received_at, crashes > 0)             AS crash_at
    FROM health_reports
    WHERE project_id = {project_id:Int64}
        AND received_at >= {since:DateTime64(3, 'UTC')}
        AND platform = {platform:String}
        AND runtime_version = {runtime_version:String}
        AND ({channel:String} = '' OR channel = {channel:String})
        AND device_id != ''
        AND reinterpretAsUInt128(sipHash128(device_id)) IN (
            SELECT device_key
            FROM device_releases
            WHERE project_id = {project_id:Int64} AND first_served_at IS NOT NULL
        )
    GROUP BY device_id
)
GROUP BY in_share
