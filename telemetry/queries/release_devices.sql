-- The devices that reported a release since its rollout began, and which of them
-- count: those that Waft served the release and that lie in its share. What order a
-- serve and a report came in is not looked at: they may have been noted by two API
-- processes, whose clocks differ.
--
-- A failure before the first render is a report of a crash, at the moment when the
-- device first spoke of it. Errors are counted here for devices that are new since
-- the rollout began; for them every error is since then too, so the first one
-- decides. The rest is "carried": devices that had the release before.
--
-- The share is murmur3_32(seed 0, salt ':' device) scaled to 100,000 steps in
-- 64-bit integers, as rollout.Bucket does, or what was computed before the device's
-- id was hashed; a device without an id is only in the full share.
--
-- What never was is a moment far in the future, and a bucket that is none: numbers
-- are compared several times as fast as Nullable ones.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket
SELECT
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
        min(ifNull(first_failed_at, never))                             AS failed_at,
        least(min(ifNull(first_at, never)), failed_at)                  AS began_at,
        least(min(ifNull(first_error_at, never)), failed_at)            AS error_at,
        least(min(ifNull(first_crash_at, never)), failed_at)            AS crash_at,
        max(ifNull(last_at, toDateTime64(0, 3, 'UTC')))                 AS seen_at,
        max(first_served_at IS NOT NULL)                                AS served,
        sum(launches)                                                   AS device_launches,
        min(ifNull(share_bucket, no_bucket))                            AS hashed_bucket,
        any(if(device_id = '', 100000,
            bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32)
        ))                                                              AS bucket,
        began_at >= {since:DateTime64(3, 'UTC')}                        AS since_start,
        {threshold:UInt32} >= 100000
            OR if(hashed_bucket = no_bucket, bucket, hashed_bucket) < {threshold:UInt32} AS in_share,
        served AND in_share                                             AS counts
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
    GROUP BY device_key
    HAVING seen_at >= {since:DateTime64(3, 'UTC')}
        OR failed_at >= {since:DateTime64(3, 'UTC')} AND failed_at < never
)
