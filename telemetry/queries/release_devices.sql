-- The devices that reported each of several releases since its rollout began, and the votes of their networks. A device
-- counts if it was served the release and is inside its rollout. Its network is the network from which it was first
-- served the release. The order of exposure and report does not matter, because the clocks of API processes differ.
-- number is the release's place in the parameters, from 1. Parts:
--
--   devices     one row for each device of each release
--   network     the votes of a network, computed from counted, counted_errored and counted_crashed, and its allocation.
--               Votes are in billionths, so that the sum does not depend on the order of networks
--   allocation  the votes of an allocation, computed from the votes of its networks, which weigh at most
--               allocation_votes together; capped counts at most "most" devices per network, and at most
--               max_per_allocation devices per allocation
--   votes       the votes of a release, computed from its allocations
--
-- A failure before the first render counts as a crash at the time when the device first reported it. This query counts
-- errors only for devices that are new since the rollout began, so their first error decides. Devices that had the
-- release before are "carried". If there are any, carried_devices.sql is used instead.
--
-- The bucket is computed as in rollout.Bucket, or was computed before the device's ID was hashed. A device without an ID
-- is only inside a rollout at 100%. The lower half of first_serve is the network, and the lower half of first_allocation
-- is the allocation. A network is an allocation of its own if none of its devices has an allocation.
--
-- never, no_bucket and no_serve stand for NULL, because comparing numbers is several times as fast as comparing Nullable
-- numbers.
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
