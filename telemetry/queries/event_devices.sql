-- For each of several releases, the health of a custom event with a threshold in the policy of its rollout. The
-- devices are the devices of release_devices.sql that count. counted_errored counts the devices that speak against
-- the release.
--
-- For a maximum rate, a device speaks against the release if it reported the event within its window, 24 hours from
-- its first report on the release. For a minimum rate (below = 1), a device counts only once its window is over, and
-- speaks against the release if it did not report the event by then. The window of a device that had the release
-- before the rollout began starts with its first report since then. due is the time at which the next device begins
-- to count, or zero.
--
-- The query reads the reports with the event from health_reports. It reads all reports of a release only for a
-- minimum rate if a device had the release before. The earliest since is a separate condition, because only a
-- constant limits the parts that are read, and a release may have weeks of reports before its rollout.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    toDateTime64(0, 3, 'UTC') AS none,
    4294967295 AS no_bucket,
    toUInt128(-1) AS no_serve
SELECT
    number,
    if(min(allocation_due) < never, min(allocation_due), none) AS due,
    {votes}
FROM
(
    SELECT
        number,
        min(network_due) AS allocation_due,
        {allocation}
    FROM
    (
    SELECT
        number,
        {max_per_network:Array(UInt64)}[number]          AS most,
        countIf(heard)                                   AS counted,
        countIf(heard AND happened = (from_below = 0))   AS counted_errored,
        toUInt64(0)                                      AS counted_crashed,
        min(if(counts AND NOT heard, ends_at, never))    AS network_due,
        {network}
    FROM
    (
        SELECT
            device.*,
            {below:Array(UInt32)}[number]                                                   AS from_below,
            -- The join returns zero for a device without such a report.
            if(report.event_at >= device.start, report.event_at, never)                    AS reported_at,
            if(report.first_since >= device.start, report.first_since, never)              AS seen_since,
            if(device.failed_at >= device.start, device.failed_at, never)                  AS failed_since,
            if(from_below = 1 AND NOT device.since_start, least(seen_since, failed_since), device.began_at) AS starts_at,
            if(starts_at < never, addMilliseconds(starts_at, {within:Array(Int64)}[number]), never) AS ends_at,
            reported_at <= ends_at AND reported_at < never                                 AS happened,
            device.counts AND (from_below = 0 OR ends_at <= {now:DateTime64(3, 'UTC')})    AS heard
        FROM
        (
        {devices}
        ) AS device
        LEFT JOIN
        (
            SELECT
                transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
                reinterpretAsUInt128(sipHash128(device_id))                               AS device_key,
                min(received_at)                                                          AS first_since,
                min(if(has(custom_names, {names:Array(UInt64)}[number]), received_at, never)) AS event_at
            FROM health_reports
            WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
                AND received_at >= arrayMin({since:Array(DateTime64(3, 'UTC'))})
                AND received_at >= {since:Array(DateTime64(3, 'UTC'))}[number]
                AND (has(custom_names, {names:Array(UInt64)}[number]) OR {whole:Array(UInt32)}[number] = 1)
            GROUP BY number, device_key
        ) AS report USING (number, device_key)
    )
    GROUP BY number, network
    )
    GROUP BY number, allocation
)
GROUP BY number
