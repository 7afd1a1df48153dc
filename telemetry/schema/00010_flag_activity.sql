-- +goose NO TRANSACTION
-- +goose Up
-- Devices with each variation of a flag, from the flagStates of their events. Distinct devices are sketches of at
-- most 3 KiB, as in release_days. If a query covers few events, the events themselves are counted instead, which is
-- exact.
CREATE TABLE IF NOT EXISTS flag_activity
(
    project_id      Int64,
    flag_key        String,
    grain           Enum8('day' = 3, 'week' = 4),
    at              DateTime('UTC'),
    variation       String,
    update_uuid     String,
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- Number of reported flag states.
    states          SimpleAggregateFunction(sum, UInt64),
    -- Time of the first flag state. It shows whether all events of a query are still stored.
    first_at        SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    devices         AggregateFunction(uniqCombined64(12), String),
    errored         AggregateFunction(uniqCombined64(12), String),
    crashed         AggregateFunction(uniqCombined64(12), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY (grain, toStartOfMonth(at))
-- A flag's page reads one flag; the matrix reads all flags.
ORDER BY (project_id, grain, flag_key, at, variation, update_uuid, channel, runtime_version)
TTL at + INTERVAL 120 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 128,
    non_replicated_deduplication_window = 10000;

-- The endpoint is open, so only the first 100 names of an event in sorted order are counted, and only names that can
-- be a flag's key. A variation is cut to 256 bytes.
CREATE MATERIALIZED VIEW IF NOT EXISTS flag_activity_mv TO flag_activity AS
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
        FROM health_events
        WHERE notEmpty(flag_states)
    ) AS event
    GROUP BY project_id, flag_key, day, variation, update_uuid, channel, runtime_version
) AS detail
ARRAY JOIN [3, 4] AS grain_code;
