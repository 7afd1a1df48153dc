-- +goose NO TRANSACTION
-- +goose Up
-- The allocation of the network from which a device was served: a keyed hash of an IPv4 /16 or an IPv6 /32. It is 0
-- if the network is an allocation of its own, as in all rows from before this migration.
ALTER TABLE exposures ADD COLUMN IF NOT EXISTS allocation UInt64;

-- The first exposure with an allocation: its time in milliseconds (the upper 64 bits) and the allocation (the lower
-- 64 bits), as in first_serve. It is NULL if the device was only served before this migration. The network of
-- first_serve is then an allocation of its own.
ALTER TABLE device_releases ADD COLUMN IF NOT EXISTS first_allocation SimpleAggregateFunction(min, Nullable(UInt128));

ALTER TABLE device_releases_exposures_mv MODIFY QUERY
SELECT
    project_id,
    update_uuid,
    reinterpretAsUInt128(sipHash128(device_id))         AS device_key,
    any(exposures.device_id)                            AS device_id,
    minOrNullIf(served_at, kind = 'failure')            AS first_failed_at,
    minOrNullIf(served_at, kind != 'failure')           AS first_served_at,
    minOrNullIf(
        bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(served_at)), 64), toUInt128(network)), kind != 'failure'
    )                                                   AS first_serve,
    minOrNullIf(
        bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(served_at)), 64), toUInt128(allocation)),
        kind != 'failure' AND allocation != 0
    )                                                   AS first_allocation,
    maxIf(exposures.platform, kind != 'failure')        AS platform,
    maxIf(exposures.channel, kind != 'failure')         AS channel,
    maxIf(exposures.runtime_version, kind != 'failure') AS runtime_version,
    min(exposures.share_bucket)                         AS share_bucket,
    max(served_at)                                      AS touched_at
FROM exposures
WHERE kind != 'rollback'
GROUP BY project_id, update_uuid, reinterpretAsUInt128(sipHash128(exposures.device_id));
