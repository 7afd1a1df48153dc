-- +goose NO TRANSACTION
-- +goose Up
-- Nothing else writes to the new table yet, so this may begin again after a crash. A copy
-- that lost its client is ended first, as in 00032_health_events_copy_v2.sql.
KILL QUERY WHERE current_database = currentDatabase() AND query LIKE 'INSERT INTO refused\\_v2 (%' ASYNC;

INSERT INTO refused_v2 (project_id)
SELECT project_id
FROM
(
    SELECT project_id
    FROM refused_v2
    LIMIT 1
)
WHERE sleep(3) = 1;

TRUNCATE TABLE IF EXISTS refused_v2;

INSERT INTO refused_v2 (
    project_id, grain, at, reason, channel, platform, runtime_version, requests, last_at, earlier_devices
)
SELECT
    project_id,
    CAST(grain_code, 'Enum8(\'day\' = 3, \'week\' = 4)') AS grain,
    if(grain_code = 3, day, toMonday(day))               AS at,
    reason, channel, platform, runtime_version,
    sum(refused_v1.requests),
    max(refused_v1.last_at),
    uniqCombined64MergeState(17)(refused_v1.devices)
FROM refused_v1
ARRAY JOIN [3, 4] AS grain_code
GROUP BY project_id, grain, at, reason, channel, platform, runtime_version;
