-- +goose NO TRANSACTION
-- +goose Up
-- What flag_activity_mv_v1 and flag_spans_mv_v1 derive stays the same, for less. To
-- merge two sketches costs as much as to take in a thousand devices, and both views
-- merged each sketch with nothing else before it was written. Now reports are added up
-- once, by day; the same row serves as one of its week, and that as one of its span.
-- What falls into one row so is merged with what other inserts bring to it.
ALTER TABLE flag_activity_mv_v1 MODIFY QUERY
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
        FROM health_events_v1
        WHERE notEmpty(flag_states)
    ) AS event
    GROUP BY project_id, flag_key, day, variation, update_uuid, channel, runtime_version
) AS detail
ARRAY JOIN [3, 4] AS grain_code;

ALTER TABLE flag_spans_mv_v1 MODIFY QUERY
SELECT
    project_id, flag_key,
    toDateTime(345600 + intDiv(toUInt32(flag_activity_v1.at) - 345600, 2419200) * 2419200, 'UTC') AS at,
    variation, update_uuid, channel, runtime_version,
    devices, errored, crashed
FROM flag_activity_v1
WHERE grain = 'week';
