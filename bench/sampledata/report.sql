-- Reports of {days} days from {day} on, the {n}th: {reports} a day, in the order in which they came in.
-- Nothing is random but hashes of the report's number and day, so that the queries that
-- read this agree on each report.
--
-- A device comes again on other days, on most of them once. It runs one of the newest
-- releases, of which there is a new one every 3.5 days on each platform, and changes it
-- every 4 days at most; a few stay on the bundle inside the app. One in twenty is on one of eleven small channels, so
-- that a day has some fifty streams. Ids are UUIDs, as real
-- devices and reports have them, those of reports of version 7.
SELECT
    {n} + intDiv(number, {reports}) AS nth,
    number % {reports} AS turn,
    cityHash64(turn, nth) AS random,
    random % {devices} AS device,
    toUInt64(toUnixTimestamp64Milli(toDateTime64('{day} 00:00:00', 3, 'UTC'))) + intDiv(number, {reports}) * 86400000
        + intDiv(turn * {length}, {reports}) + intDiv(random, 1000) % greatest(1, intDiv({length}, {reports})) AS millisecond,
    fromUnixTimestamp64Milli(toInt64(millisecond), 'UTC') AS at,
    reinterpret(bitOr(
        toUInt128(bitShiftLeft(millisecond, 16) + 28672 + random % 4096),
        bitShiftLeft(toUInt128(9223372036854775808 + intDiv(cityHash64(random), 4)), 64)
    ), 'UUID') AS report_id,
    toString(reinterpretAsUUID(sipHash128(device))) AS device_id,
    device % 2 = 0 AS ios,
    if(ios, 'ios', 'android') AS platform,
    multiIf(device % 10 = 0, 'staging', cityHash64(device) % 20 = 1, concat('customer-', toString(cityHash64(device, 1) % 11)), 'production') AS channel,
    cityHash64(device, intDiv(nth, 4)) % 100 AS habit,
    greatest(0, intDiv(nth * 2, 7) - multiIf(habit < 60, 0, habit < 80, 1, habit < 88, 2, habit < 93, 3, habit < 96, 5, 7)) AS release,
    if(habit >= 98, '', toString(reinterpretAsUUID(sipHash128(release, ios)))) AS update_uuid,
    concat('1.', toString(intDiv(release, 8)), '.0') AS runtime_version,
    random % 50 = 0 AS failed,
    random % 300 = 0 AS crashed
FROM numbers({reports} * {days})
