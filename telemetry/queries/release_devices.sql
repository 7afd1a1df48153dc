-- The devices of a release's share that reported since the rollout began. Errors
-- are counted here for devices that are new since then; for them every error is
-- since then too, so the first one decides. The rest is "carried": devices that
-- had the release before.
--
-- The share is murmur3_32(seed 0, salt ':' device) scaled to 100,000 steps in
-- 64-bit integers, as rollout.Bucket does; a device without an id is only in the
-- full share.
SELECT
    count()                                                     AS devices,
    sum(device_launches)                                        AS all_launches,
    countIf(since_start AND error_at <= began_at + INTERVAL 24 HOUR) AS errored,
    countIf(since_start AND crash_at <= began_at + INTERVAL 24 HOUR) AS crashed,
    countIf(NOT since_start)                                    AS carried
FROM
(
    SELECT
        min(first_at)       AS began_at,
        max(last_at)        AS seen_at,
        min(first_error_at) AS error_at,
        min(first_crash_at) AS crash_at,
        sum(launches)       AS device_launches,
        began_at >= {since:DateTime64(3, 'UTC')} AS since_start
    FROM release_devices_v1
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
        AND ({threshold:UInt32} >= 100000 OR (
            device_id != ''
            AND bitShiftRight(toUInt64(murmurHash3_32(concat({salt:String}, ':', device_id))) * 100000, 32) < {threshold:UInt32}
        ))
    GROUP BY device_key
    HAVING seen_at >= {since:DateTime64(3, 'UTC')}
)
