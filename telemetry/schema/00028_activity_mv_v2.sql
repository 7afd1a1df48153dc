-- +goose NO TRANSACTION
-- +goose Up
-- The block is added up at its finest and only the sums are taken to the kinds of rows;
-- each is then the same in the slot, hour, day and week that it lies in. What falls into
-- one row so is merged with what other blocks bring to it.
CREATE MATERIALIZED VIEW IF NOT EXISTS activity_mv_v2 TO activity_v2 AS
SELECT
    project_id,
    CAST(grain_code, 'Enum8(\'slot\' = 1, \'hour\' = 2, \'day\' = 3, \'week\' = 4)') AS grain,
    dims,
    multiIf(
        grain_code = 1, slot,
        grain_code = 2, toStartOfHour(slot),
        grain_code = 3, toStartOfDay(slot),
        toDateTime(toMonday(slot), 'UTC')
    ) AS at,
    update_uuid, channel, platform, runtime_version,
    reports, launches, js_errors, crashes,
    devices, errored, crashed
FROM
(
    SELECT
        project_id, slot, kind AS dims,
        if(bitTest(kind, 3), detail.update_uuid, '')     AS update_uuid,
        if(bitTest(kind, 0), detail.channel, '')         AS channel,
        if(bitTest(kind, 1), detail.platform, '')        AS platform,
        if(bitTest(kind, 2), detail.runtime_version, '') AS runtime_version,
        sum(detail.reports)   AS reports,
        sum(detail.launches)  AS launches,
        sum(detail.js_errors) AS js_errors,
        sum(detail.crashes)   AS crashes,
        uniqCombined64MergeState(13)(detail.devices) AS devices,
        uniqCombined64MergeState(13)(detail.errored) AS errored,
        uniqCombined64MergeState(13)(detail.crashed) AS crashed
    FROM
    (
        SELECT
            project_id,
            toStartOfFiveMinutes(toDateTime(received_at, 'UTC')) AS slot,
            update_uuid, channel, platform, runtime_version,
            count()                          AS reports,
            sum(health_reports_v1.launches)  AS launches,
            sum(health_reports_v1.js_errors) AS js_errors,
            sum(health_reports_v1.crashes)   AS crashes,
            uniqCombined64State(13)(device_id) AS devices,
            uniqCombined64StateIf(13)(device_id, health_reports_v1.js_errors + health_reports_v1.crashes > 0) AS errored,
            uniqCombined64StateIf(13)(device_id, health_reports_v1.crashes > 0) AS crashed
        FROM health_reports_v1
        GROUP BY project_id, slot, update_uuid, channel, platform, runtime_version
    ) AS detail
    ARRAY JOIN [0, 1, 3, 7, 14, 15] AS kind
    GROUP BY project_id, slot, dims, update_uuid, channel, platform, runtime_version
) AS cell
ARRAY JOIN if(dims = 14, [2, 3, 4], [1, 2, 3]) AS grain_code;

-- Last: until here an insert fails and is tried again, and what the new view has of it
-- already is known by its token.
DROP VIEW IF EXISTS activity_mv_v1;
