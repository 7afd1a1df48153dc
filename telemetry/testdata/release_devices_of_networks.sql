-- Version of release_devices.sql without allocations, for BenchmarkHealthOfAllocations.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket,
    toUInt128(-1) AS no_serve
SELECT
    number,
    sum(network_launches)     AS all_launches,
    sum(network_carried)      AS carried,
    sum(network_not_served)   AS not_served,
    sum(network_not_in_share) AS not_in_share,
    sum(counted)                                 AS devices,
    sum(counted_errored)                         AS errored,
    sum(counted_crashed)                         AS crashed,
    countIf(counted > 0)                         AS networks,
    sum(least(counted, most))                    AS capped,
    max(counted)                                 AS largest,
    sum(errored_vote)                            AS errored_sum,
    groupArraySortedIf(10)(-errored_vote, errored_vote > 0) AS errored_most,
    sum(crashed_vote)                            AS crashed_sum,
    groupArraySortedIf(10)(-crashed_vote, crashed_vote > 0) AS crashed_most
FROM
(
    SELECT
        number,
        {max_per_network:Array(UInt64)}[number]                                     AS most,
        countIf(counts)                                                             AS counted,
        countIf(counts AND since_start AND error_at <= began_at + INTERVAL 24 HOUR) AS counted_errored,
        countIf(counts AND since_start AND crash_at <= began_at + INTERVAL 24 HOUR) AS counted_crashed,
        sumIf(device_launches, counts)                                              AS network_launches,
        countIf(counts AND NOT since_start)                                         AS network_carried,
        countIf(NOT served)                                                         AS network_not_served,
        countIf(served AND NOT in_share)                                            AS network_not_in_share,
        toInt64(intDiv(2000000000 * counted_errored + counted, 2 * greatest(counted, 1))) AS errored_vote,
        toInt64(intDiv(2000000000 * counted_crashed + counted, 2 * greatest(counted, 1))) AS crashed_vote
    FROM
    (
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        device_key,
        {since:Array(DateTime64(3, 'UTC'))}[number]                     AS start,
        {threshold:Array(UInt32)}[number]                               AS share,
        min(ifNull(first_failed_at, never))                             AS failed_at,
        least(min(ifNull(first_at, never)), failed_at)                  AS began_at,
        least(min(ifNull(first_error_at, never)), failed_at)            AS error_at,
        least(min(ifNull(first_crash_at, never)), failed_at)            AS crash_at,
        max(ifNull(last_at, toDateTime64(0, 3, 'UTC')))                 AS seen_at,
        min(ifNull(first_serve, no_serve))                              AS serve,
        serve != no_serve                                               AS served,
        toUInt64(serve)                                                 AS network,
        sum(launches)                                                   AS device_launches,
        min(ifNull(share_bucket, no_bucket))                            AS hashed_bucket,
        any(if(device_id = '', 100000,
            bitShiftRight(toUInt64(murmurHash3_32(concat({salt:Array(String)}[number], ':', device_id))) * 100000, 32)
        ))                                                              AS bucket,
        began_at >= start                                               AS since_start,
        share >= 100000
            OR if(hashed_bucket = no_bucket, bucket, hashed_bucket) < share AS in_share,
        served AND in_share                                             AS counts
    FROM device_releases
    WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})
    GROUP BY number, device_key
    HAVING seen_at >= start
        OR failed_at >= start AND failed_at < never
    )
    GROUP BY number, network
)
GROUP BY number
