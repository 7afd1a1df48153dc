-- +goose NO TRANSACTION
-- +goose Up
-- The views for analysts. Their names and columns stay the same when the tables behind them change (see
-- docs/reference/analytics.md).
CREATE VIEW IF NOT EXISTS devices_daily
(
    project_id      Int64  COMMENT 'The project ID, as in GET /v1/ota/projects',
    day             Date   COMMENT 'Day in UTC',
    update_uuid     String COMMENT 'The release, empty for the embedded update',
    channel         String COMMENT 'Channel that the device reported',
    platform        String COMMENT 'ios or android',
    runtime_version String COMMENT 'Runtime version that the device reported',
    device          String COMMENT 'The device, the same in every view: a hash of its ID',
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
    hour            DateTime('UTC') COMMENT 'Start of the hour; the last 16 days are kept',
    update_uuid     String          COMMENT 'The release, empty for the embedded update',
    channel         String          COMMENT 'Channel that devices reported',
    platform        String          COMMENT 'ios or android',
    runtime_version String          COMMENT 'Runtime version that devices reported',
    reports         UInt64          COMMENT 'Health reports',
    launches        UInt64          COMMENT 'Sum of the counts of app_launch',
    js_errors       UInt64          COMMENT 'Sum of the counts of js_error',
    crashes         UInt64          COMMENT 'Sum of the counts of crash',
    devices         UInt64          COMMENT 'Distinct devices, exact up to 256, then with a standard error of 1.1%; do not add up hours',
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
    received_at     DateTime64(3, 'UTC')  COMMENT 'Time at which Waft received the report; the last 30 days are kept',
    type            String                COMMENT 'js_error, crash, custom or app_launch',
    name            String                COMMENT 'Name of a custom event',
    error_name      String                COMMENT 'Class of the error',
    message         String                COMMENT 'Message of the error',
    stack_trace     String                COMMENT 'Stack of the error',
    is_fatal        Bool                  COMMENT 'Whether the error ended the app',
    count           UInt64                COMMENT 'Number of occurrences',
    tags            Map(String, String)   COMMENT 'Further data from the app',
    flag_states     Map(String, String)   COMMENT 'Flag variations that were active',
    update_uuid     String                COMMENT 'The release, empty for the embedded update',
    channel         String                COMMENT 'Channel that the device reported',
    platform        String                COMMENT 'ios or android',
    runtime_version String                COMMENT 'Runtime version that the device reported',
    device          String                COMMENT 'The device, the same in every view',
    device_id       String                COMMENT 'ID that the device reported, or a hash of it'
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
    downloaded_at    Nullable(DateTime64(3, 'UTC')) COMMENT 'Time at which Waft first served the release to the device',
    first_seen_at    Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first report of the device on the release',
    last_seen_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the last report of the device on the release',
    first_error_at   Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first js_error or crash of the device on the release',
    first_crash_at   Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the first crash of the device on the release',
    failed_at        Nullable(DateTime64(3, 'UTC')) COMMENT 'Time at which the device reported that the release failed before its first render',
    launches         UInt64                         COMMENT 'Sum of the counts of app_launch',
    network          String                         COMMENT 'Keyed hash of the network from which the device was first served the release; empty if it was not served'
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
    day             Date   COMMENT 'Day in UTC; the last 120 days are kept',
    flag_key        String COMMENT 'The flag',
    variation       String COMMENT 'The variation of the flag, as devices report it in flagStates',
    update_uuid     String COMMENT 'The release, empty for the embedded update',
    channel         String COMMENT 'Channel that devices reported',
    runtime_version String COMMENT 'Runtime version that devices reported',
    devices         UInt64 COMMENT 'Distinct devices, exact up to 128, then with a standard error of 1.6%; do not add up days',
    errored_devices UInt64 COMMENT 'Distinct devices with the variation and a js_error or crash',
    crashed_devices UInt64 COMMENT 'Distinct devices with the variation and a crash'
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
    value             String               COMMENT 'Value as a string; (other) for a value that is not a variation',
    evaluations       UInt64               COMMENT 'Number of evaluations with this value',
    last_evaluated_at DateTime64(3, 'UTC') COMMENT 'Time of the last evaluation'
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
    day             Date                 COMMENT 'Day in UTC; the last 30 days are kept',
    reason          String               COMMENT 'Reason for which the devices did not get an update',
    channel         String               COMMENT 'Channel in the requests',
    platform        String               COMMENT 'Platform in the requests',
    runtime_version String               COMMENT 'Runtime version in the requests',
    requests        UInt64               COMMENT 'Manifest requests',
    devices         UInt64               COMMENT 'Distinct devices that sent their ID, exact up to 128, then with a standard error of 1.6%; do not add up days',
    last_seen_at    DateTime64(3, 'UTC') COMMENT 'Time of the last request'
) AS
SELECT
    project_id, day, reason, channel, platform, runtime_version,
    sum(refused_requests.requests) AS requests,
    uniqCombined64Merge(12)(refused_requests.devices) AS devices,
    max(last_at) AS last_seen_at
FROM refused_requests
GROUP BY project_id, day, reason, channel, platform, runtime_version;
