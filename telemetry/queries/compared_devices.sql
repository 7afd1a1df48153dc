-- For each of some rollouts: devices of its channel, platform and runtime version that
-- reported since its share was applied, inside and outside the share, whatever release
-- they run: devices that have updated already use the app more. An error counts within
-- 24 h of the device's first report in the window, so that old devices have no more errors.
--
-- Only devices that Waft has served some release count: the endpoint for reports is
-- open, and invented devices must not decide. The share and number are as in
-- release_devices.sql.
SELECT
    number,
    in_share,
    count()                                                          AS devices,
    countIf(ifNull(error_at <= began_at + INTERVAL 24 HOUR, false))  AS errored,
    countIf(ifNull(crash_at <= began_at + INTERVAL 24 HOUR, false))  AS crashed
FROM
(
    SELECT
        number,
        bitShiftRight(toUInt64(murmurHash3_32(concat({salt:Array(String)}[number], ':', device_id))) * 100000, 32)
            < {threshold:Array(UInt32)}[number] AS in_share,
        min(received_at) AS began_at,
        minOrNullIf(received_at, js_errors + crashes > 0) AS error_at,
        minOrNullIf(received_at, crashes > 0)             AS crash_at
    FROM health_reports
    -- A report counts in every rollout of its channel.
    ARRAY JOIN arrayFilter(
        (n, project, its_platform, its_runtime_version, its_channel, its_since) ->
            project = project_id AND its_platform = platform AND its_runtime_version = runtime_version
            AND (its_channel = '' OR its_channel = channel) AND its_since <= received_at,
        {numbers:Array(UInt32)}, {projects:Array(Int64)}, {platforms:Array(String)}, {runtime_versions:Array(String)},
        {channels:Array(String)}, {since:Array(DateTime64(3, 'UTC'))}
    ) AS number
    WHERE project_id IN {projects:Array(Int64)}
        AND received_at >= arrayMin({since:Array(DateTime64(3, 'UTC'))})
        AND device_id != ''
        AND (project_id, reinterpretAsUInt128(sipHash128(device_id))) IN (
            SELECT project_id, device_key
            FROM device_releases
            WHERE project_id IN {projects:Array(Int64)} AND first_served_at IS NOT NULL
        )
    GROUP BY number, device_id
)
GROUP BY number, in_share
