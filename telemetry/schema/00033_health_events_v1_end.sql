-- +goose NO TRANSACTION
-- +goose Up
-- As flag_activity_mv_v1, see 00024_flag_views.sql. It is made when everything has been
-- copied, since it would add that up once more.
CREATE MATERIALIZED VIEW IF NOT EXISTS flag_activity_mv_v2 TO flag_activity_v1 AS
SELECT
    project_id, flag_key,
    CAST(grain_code, 'Enum8(\'day\' = 3, \'week\' = 4)') AS grain,
    toDateTime(if(grain_code = 3, day, toMonday(day)), 'UTC') AS at,
    variation, update_uuid, channel, runtime_version,
    states, first_at, devices, errored, crashed
FROM
(
    SELECT
        project_id,
        state.1 AS flag_key,
        toDate(received_at) AS day,
        state.2 AS variation,
        update_uuid, channel, runtime_version,
        count() AS states,
        min(received_at) AS first_at,
        uniqCombined64State(12)(device_id) AS devices,
        uniqCombined64StateIf(12)(device_id, type IN ('js_error', 'crash')) AS errored,
        uniqCombined64StateIf(12)(device_id, type = 'crash') AS crashed
    FROM
    (
        SELECT
            project_id, received_at, update_uuid, channel, runtime_version, device_id, type,
            arrayJoin(arraySlice(arraySort(arrayFilter(
                s -> match(s.1, '^[a-z0-9][a-z0-9._-]{0,127}$'),
                arrayMap((k, v) -> (CAST(k, 'String'), substring(CAST(v, 'String'), 1, 256)), mapKeys(flag_states), mapValues(flag_states))
            )), 1, 100)) AS state
        FROM health_events_v2
        WHERE notEmpty(flag_states)
    ) AS event
    GROUP BY project_id, flag_key, day, variation, update_uuid, channel, runtime_version
) AS detail
ARRAY JOIN [3, 4] AS grain_code;

DROP VIEW IF EXISTS flag_activity_mv_v1;

-- Analysts find the same in it as before, see 00017_views.sql.
DROP VIEW IF EXISTS events;

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
    update_uuid     String                COMMENT 'The release, empty for the bundle inside the app',
    channel         String                COMMENT 'Channel that the device reported',
    platform        String                COMMENT 'ios or android',
    runtime_version String                COMMENT 'Runtime version that the device reported',
    device          String                COMMENT 'The device, the same in every view',
    device_id       String                COMMENT 'Id that the device reported, or a hash of it'
) AS
SELECT
    project_id, received_at, type, name, error_name, message, stack_trace, is_fatal, toUInt64(count) AS count, tags,
    flag_states, update_uuid, channel, platform, runtime_version,
    hex(reinterpretAsUInt128(sipHash128(health_events_v2.device_id))) AS device, device_id
FROM health_events_v2;

DROP TABLE IF EXISTS health_events_v1;
