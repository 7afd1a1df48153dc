-- +goose NO TRANSACTION
-- +goose Up
-- The views that analysts read. Their names and columns stay when the tables behind them
-- change; see docs/analytics.md.
CREATE VIEW IF NOT EXISTS devices_daily
(
    project_id      Int64  COMMENT 'The project, as GET /v1/ota/projects numbers it',
    day             Date   COMMENT 'Day in UTC',
    update_uuid     String COMMENT 'The release, empty for the embedded update',
    channel         String COMMENT 'Channel that the device reported',
    platform        String COMMENT 'ios or android',
    runtime_version String COMMENT 'Runtime version that the device reported',
    device          String COMMENT 'The device, the same in every view: a hash of its id',
    launches        UInt64 COMMENT 'Sum of the counts of app_launch',
    js_errors       UInt64 COMMENT 'Sum of the counts of js_error',
    crashes         UInt64 COMMENT 'Sum of the counts of crash'
) AS
SELECT
    project_id, day, update_uuid, channel, platform, runtime_version,
    hex(device_key) AS device,
    sum(device_days.launches)  AS launches,
    sum(device_days.js_errors) AS js_errors,
    sum(device_days.crashes)   AS crashes
FROM device_days
GROUP BY project_id, day, update_uuid, channel, platform, runtime_version, device_key;

CREATE VIEW IF NOT EXISTS activity_hourly
(
    project_id      Int64           COMMENT 'The project',
    hour            DateTime('UTC') COMMENT 'Begin of the hour; the last 16 days are kept',
    update_uuid     String          COMMENT 'The release, empty for the embedded update',
    channel         String          COMMENT 'Channel that devices reported',
    platform        String          COMMENT 'ios or android',
    runtime_version String          COMMENT 'Runtime version that devices reported',
    reports         UInt64          COMMENT 'Health reports',
    launches        UInt64          COMMENT 'Sum of the counts of app_launch',
    js_errors       UInt64          COMMENT 'Sum of the counts of js_error',
    crashes         UInt64          COMMENT 'Sum of the counts of crash',
    devices         UInt64          COMMENT 'Distinct devices, exact up to 256, then with a standard error of 1.1 %; hours must not be added up',
    errored_devices UInt64          COMMENT 'Distinct devices with a js_error or crash',
    crashed_devices UInt64          COMMENT 'Distinct devices with a crash'
) AS
SELECT
    project_id, at AS hour, update_uuid, channel, platform, runtime_version,
    sum(activity.reports)                     AS reports,
    sum(activity.launches)                    AS launches,
    sum(activity.js_errors)                   AS js_errors,
    sum(activity.crashes)                     AS crashes,
    uniqCombined64Merge(13)(activity.devices) AS devices,
    uniqCombined64Merge(13)(activity.errored) AS errored_devices,
    uniqCombined64Merge(13)(activity.crashed) AS crashed_devices
FROM activity
WHERE grain = 'hour' AND dims = 15
GROUP BY project_id, hour, update_uuid, channel, platform, runtime_version;

CREATE VIEW IF NOT EXISTS events
(
    project_id      Int64                 COMMENT 'The project',
    received_at     DateTime64(3, 'UTC')  COMMENT 'When the report came in; the last 30 days are kept',
    type            String                COMMENT 'js_error, crash, custom or app_launch',
    name            String                COMMENT 'Of a custom event',
    error_name      String                COMMENT 'Class of the error',
    message         String                COMMENT 'Message of the error',
    stack_trace     String                COMMENT 'Stack of the error',
    is_fatal        Bool                  COMMENT 'Whether it ended the app',
    count           UInt64                COMMENT 'How often it occurred',
    tags            Map(String, String)   COMMENT 'What the app told besides',
    flag_states     Map(String, String)   COMMENT 'Flag variations that were active',
    update_uuid     String                COMMENT 'The release, empty for the embedded update',
    channel         String                COMMENT 'Channel that the device reported',
    platform        String                COMMENT 'ios or android',
    runtime_version String                COMMENT 'Runtime version that the device reported',
    device          String                COMMENT 'The device, the same in every view',
    device_id       String                COMMENT 'Id that the device reported, or a hash of it'
) AS
SELECT
    project_id, received_at, type, name, error_name, message, stack_trace, is_fatal, toUInt64(count) AS count, tags,
    flag_states, update_uuid, channel, platform, runtime_version,
    hex(reinterpretAsUInt128(sipHash128(health_events.device_id))) AS device, device_id
FROM health_events;

CREATE VIEW IF NOT EXISTS release_devices
(
    project_id       Int64                          COMMENT 'The project',
    update_uuid      String                         COMMENT 'The release',
    device           String                         COMMENT 'The device, the same in every view',
    downloaded_at    Nullable(DateTime64(3, 'UTC')) COMMENT 'When Waft first served it the release',
    first_seen_at    Nullable(DateTime64(3, 'UTC')) COMMENT 'When it first reported on the release',
    last_seen_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'When it last reported on the release',
    first_error_at   Nullable(DateTime64(3, 'UTC')) COMMENT 'Its first js_error or crash on the release',
    first_crash_at   Nullable(DateTime64(3, 'UTC')) COMMENT 'Its first crash on the release',
    failed_at        Nullable(DateTime64(3, 'UTC')) COMMENT 'When it said that the release failed before its first render',
    launches         UInt64                         COMMENT 'Sum of the counts of app_launch',
    network          String                         COMMENT 'Network that it was first served the release from, a keyed hash; empty if it was not'
) AS
SELECT
    project_id, update_uuid, hex(device_key) AS device,
    min(first_served_at)                      AS downloaded_at,
    min(first_at)                             AS first_seen_at,
    max(last_at)                              AS last_seen_at,
    min(device_releases.first_error_at)    AS first_error_at,
    min(device_releases.first_crash_at)    AS first_crash_at,
    min(first_failed_at)                      AS failed_at,
    sum(device_releases.launches)          AS launches,
    ifNull(hex(toUInt64(min(first_serve))), '') AS network
FROM device_releases
GROUP BY project_id, update_uuid, device_key;

CREATE VIEW IF NOT EXISTS flags_daily
(
    project_id      Int64  COMMENT 'The project',
    day             Date   COMMENT 'Day in UTC; the last 120 are kept',
    flag_key        String COMMENT 'The flag',
    variation       String COMMENT 'Its variation, as devices name it in flagStates',
    update_uuid     String COMMENT 'The release, empty for the embedded update',
    channel         String COMMENT 'Channel that devices reported',
    runtime_version String COMMENT 'Runtime version that devices reported',
    devices         UInt64 COMMENT 'Distinct devices, exact up to 128, then with a standard error of 1.6 %; days must not be added up',
    errored_devices UInt64 COMMENT 'Distinct devices with a js_error or crash under the variation',
    crashed_devices UInt64 COMMENT 'Distinct devices with a crash under the variation'
) AS
SELECT
    project_id, toDate(at) AS day, flag_key, variation, update_uuid, channel, runtime_version,
    uniqCombined64Merge(12)(flag_activity.devices) AS devices,
    uniqCombined64Merge(12)(flag_activity.errored) AS errored_devices,
    uniqCombined64Merge(12)(flag_activity.crashed) AS crashed_devices
FROM flag_activity
WHERE grain = 'day'
GROUP BY project_id, day, flag_key, variation, update_uuid, channel, runtime_version;

CREATE VIEW IF NOT EXISTS flag_evaluations_daily
(
    project_id        Int64                COMMENT 'The project',
    day               Date                 COMMENT 'Day in UTC',
    flag_key          String               COMMENT 'The flag',
    channel           String               COMMENT 'Channel of the client',
    value             String               COMMENT 'Text of the value, (other) for what is no variation',
    evaluations       UInt64               COMMENT 'How often the flag had it',
    last_evaluated_at DateTime64(3, 'UTC') COMMENT 'The last time'
) AS
SELECT
    project_id, day, flag_key, channel, value,
    sum(flag_evaluations.evaluations) AS evaluations,
    max(last_at)                         AS last_evaluated_at
FROM flag_evaluations
GROUP BY project_id, day, flag_key, channel, value;

CREATE VIEW IF NOT EXISTS refused_daily
(
    project_id      Int64                COMMENT 'The project',
    day             Date                 COMMENT 'Day in UTC; the last 30 are kept',
    reason          String               COMMENT 'Why the devices got no update',
    channel         String               COMMENT 'As they asked for it',
    platform        String               COMMENT 'As they said',
    runtime_version String               COMMENT 'As they said',
    requests        UInt64               COMMENT 'Manifest requests',
    devices         UInt64               COMMENT 'Distinct devices that told their id, exact up to 128, then with a standard error of 1.6 %; days must not be added up',
    last_seen_at    DateTime64(3, 'UTC') COMMENT 'The last request'
) AS
SELECT
    project_id, day, reason, channel, platform, runtime_version,
    sum(refused_requests.requests) AS requests,
    uniqCombined64Merge(12)(refused_requests.devices) AS devices,
    max(last_at) AS last_seen_at
FROM refused_requests
GROUP BY project_id, day, reason, channel, platform, runtime_version;
