-- For each of several rollouts: the devices of its channel, platform and runtime version that reported since its
-- percentage was applied, inside and outside the rollout, whatever release they run. Devices are not selected by
-- their release, because devices that have updated already use the app more. An error counts within 24 hours of the
-- device's first report in the window, so that devices with a long history do not have more errors.
--
-- Only devices that Waft has served some release count, because the endpoint for reports is open and invented devices
-- must not decide. A device's network is the network of its first exposure to any release. Its allocation is the
-- allocation of its first exposure with an allocation. The share, number, votes and network are as in
-- release_devices.sql.
WITH toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never
SELECT
    number,
    in_share,
    {votes}
FROM
(
    SELECT
        number,
        in_share,
        {allocation}
    FROM
    (
    SELECT
        number,
        in_share,
        toUInt64(0)                                            AS most,
        count()                                                AS counted,
        countIf(error_at <= began_at + INTERVAL 24 HOUR)       AS counted_errored,
        countIf(crash_at <= began_at + INTERVAL 24 HOUR)       AS counted_crashed,
        {network}
    FROM
    (
        SELECT
            number,
            reinterpretAsUInt128(sipHash128(device_id)) AS device_key,
            any(project_id) AS project,
            bitShiftRight(toUInt64(murmurHash3_32(concat({salt:Array(String)}[number], ':', any(device_id)))) * 100000, 32)
                < {threshold:Array(UInt32)}[number] AS in_share,
            min(received_at)                                      AS began_at,
            min(if(js_errors + crashes > 0, received_at, never))  AS error_at,
            min(if(crashes > 0, received_at, never))              AS crash_at
        FROM health_reports
        -- A report counts in every rollout of its channel.
        ARRAY JOIN arrayFilter(
            (n, its_project, its_platform, its_runtime_version, its_channel, its_since) ->
                its_project = project_id AND its_platform = platform AND its_runtime_version = runtime_version
                AND (its_channel = '' OR its_channel = channel) AND its_since <= received_at,
            {numbers:Array(UInt32)}, {projects:Array(Int64)}, {platforms:Array(String)}, {runtime_versions:Array(String)},
            {channels:Array(String)}, {since:Array(DateTime64(3, 'UTC'))}
        ) AS number
        WHERE project_id IN {projects:Array(Int64)}
            AND received_at >= arrayMin({since:Array(DateTime64(3, 'UTC'))})
            AND device_id != ''
        GROUP BY number, device_key
    ) AS reported
    INNER JOIN
    (
        SELECT
            project_id AS project, device_key, toUInt64(min(assumeNotNull(first_serve))) AS network,
            toUInt64(ifNull(min(first_allocation), toUInt128(0))) AS device_allocation
        FROM device_releases
        WHERE project_id IN {projects:Array(Int64)} AND first_serve IS NOT NULL
        GROUP BY project, device_key
    ) AS first_served USING (project, device_key)
    GROUP BY number, in_share, network
    )
    GROUP BY number, in_share, allocation
)
GROUP BY number, in_share
