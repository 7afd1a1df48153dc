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
        min(ifNull(first_allocation, no_serve))                         AS allocated,
        if(allocated = no_serve, 0, toUInt64(allocated))                AS device_allocation,
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
