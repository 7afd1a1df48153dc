-- The devices that reported each of some releases since its rollout began, and which of
-- them count: those that were served the release and are in its share. The order of
-- exposure and report does not matter, since the clocks of API processes differ. number
-- is the release's place in the parameters, from 1.
--
-- A failure before the first render counts as a crash, when the device first reported it.
-- Errors are counted here for devices that are new since the rollout began, where the first
-- error decides. The others, which had the release before, are "carried".
--
-- The bucket is computed as in rollout.Bucket, or was before the device's id was hashed; a
-- device without an id is only in the full share.
--
-- never and no_bucket stand for NULL: numbers are compared several times as fast as
-- Nullable ones.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket
SELECT
    number,
    countIf(counts)                                                             AS devices,
    sumIf(device_launches, counts)                                              AS all_launches,
    countIf(counts AND since_start AND error_at <= began_at + INTERVAL 24 HOUR) AS errored,
    countIf(counts AND since_start AND crash_at <= began_at + INTERVAL 24 HOUR) AS crashed,
    countIf(counts AND NOT since_start)                                         AS carried,
    countIf(NOT served)                                                         AS not_served,
    countIf(served AND NOT in_share)                                            AS not_in_share
FROM
(
    SELECT
        transform(update_uuid, {updates:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS number,
        {since:Array(DateTime64(3, 'UTC'))}[number]                     AS start,
        {threshold:Array(UInt32)}[number]                               AS share,
        min(ifNull(first_failed_at, never))                             AS failed_at,
        least(min(ifNull(first_at, never)), failed_at)                  AS began_at,
        least(min(ifNull(first_error_at, never)), failed_at)            AS error_at,
        least(min(ifNull(first_crash_at, never)), failed_at)            AS crash_at,
        max(ifNull(last_at, toDateTime64(0, 3, 'UTC')))                 AS seen_at,
        max(first_served_at IS NOT NULL)                                AS served,
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
GROUP BY number
