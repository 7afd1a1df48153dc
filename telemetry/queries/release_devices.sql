-- The devices that reported each of some releases since its rollout began, and which of
-- them count: those that were served the release and are in its share; and the votes of the
-- networks that they were first served it from. The order of exposure and report does not
-- matter, since the clocks of API processes differ. number is the release's place in the
-- parameters, from 1. Parts:
--
--   devices  one row for each device of each release
--   network     the votes of a network in billionths, so that any order of networks has the same sum, from counted,
--               counted_errored and counted_crashed, and its allocation
--   allocation  the votes of an allocation, from those of its networks: these weigh at most allocation_votes together.
--               Of each network most devices count in capped, and max_per_allocation of them all.
--   votes       of the allocations of a release
--
-- A failure before the first render counts as a crash, when the device first reported it.
-- Errors are counted here for devices that are new since the rollout began, where the first
-- error decides. The others, which had the release before, are "carried": where there are
-- any, carried_devices.sql answers.
--
-- The bucket is computed as in rollout.Bucket, or was before the device's id was hashed; a
-- device without an id is only in the full share. The lower half of first_serve is the network, that of first_allocation the allocation.
-- A network of which no device has an allocation is an allocation by itself.
--
-- never, no_bucket and no_serve stand for NULL: numbers are compared several times as fast as
-- Nullable ones.
WITH
    toDateTime64('2299-01-01 00:00:00', 3, 'UTC') AS never,
    4294967295 AS no_bucket,
    toUInt128(-1) AS no_serve
SELECT
    number,
    sum(allocation_launches)     AS all_launches,
    sum(allocation_carried)      AS carried,
    sum(allocation_not_served)   AS not_served,
    sum(allocation_not_in_share) AS not_in_share,
    {votes}
FROM
(
    SELECT
        number,
        sum(network_launches)     AS allocation_launches,
        sum(network_carried)      AS allocation_carried,
        sum(network_not_served)   AS allocation_not_served,
        sum(network_not_in_share) AS allocation_not_in_share,
        {allocation}
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
        {network}
    FROM
    (
    {devices}
    )
    GROUP BY number, network
    )
    GROUP BY number, allocation
)
GROUP BY number
