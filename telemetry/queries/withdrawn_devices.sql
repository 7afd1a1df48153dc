-- Devices that had a withdrawn release of a channel in the day before it was withdrawn: those that were served it there,
-- and those that have not asked again since. A device has asked again if it was served another release after it got
-- this one, reported another release after its last report on this one, or reported that this one failed. A device
-- without a channel reported the release, but was never served it.
SELECT
    countIf(channel != '') AS served,
    countIf(ifNull(asked_at > had_at, 0) = 0 AND failed_again = 0 AND ifNull(moved_at > last_at, 0) = 0) AS pending
FROM
(
    SELECT
        device_key,
        max(device_releases.touched_at)                  AS touched,
        max(device_releases.channel)                     AS channel,
        max(device_releases.last_at)                     AS last_at,
        least(ifNull(min(device_releases.first_at), touched), ifNull(min(device_releases.first_served_at), touched)) AS had_at
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND update_uuid = {update_uuid:String}
    GROUP BY device_key
    HAVING touched >= {active:DateTime64(3, 'UTC')} AND channel IN ({channel:String}, '')
) AS had
LEFT JOIN
(
    SELECT
        reinterpretAsUInt128(sipHash128(exposures.device_id))         AS device_key,
        maxOrNullIf(served_at, update_uuid != {update_uuid:String})   AS asked_at,
        countIf(kind = 'failure' AND update_uuid = {update_uuid:String}) AS failed_again
    FROM exposures
    WHERE project_id = {project_id:Int64}
        AND served_at >= {since:DateTime64(3, 'UTC')}
        AND (update_uuid != {update_uuid:String} OR kind = 'failure')
    GROUP BY device_key
) AS asked ON asked.device_key = had.device_key
LEFT JOIN
(
    SELECT device_key, toNullable(received_at) AS moved_at
    FROM devices FINAL
    WHERE project_id = {project_id:Int64}
        AND received_at >= {active:DateTime64(3, 'UTC')}
        AND update_uuid != {update_uuid:String}
) AS moved ON moved.device_key = had.device_key
SETTINGS max_threads = 1
