-- +goose NO TRANSACTION
-- +goose Up
-- Nothing else writes to the new table yet, so this may begin again after a crash. A copy
-- that lost its client is ended first; where there was one, the second statement sleeps
-- while it ends, and inserts nothing.
KILL QUERY WHERE current_database = currentDatabase() AND query LIKE 'INSERT INTO health\\_events\\_v2 (%' ASYNC;

INSERT INTO health_events_v2 (project_id)
SELECT project_id
FROM
(
    SELECT project_id
    FROM health_events_v2
    LIMIT 1
)
WHERE sleep(3) = 1;

TRUNCATE TABLE IF EXISTS health_events_v2;

INSERT INTO health_events_v2 (
    project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid, type, name,
    message, error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states
)
SELECT
    project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid, type, name,
    message, error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states
FROM health_events_v1
SETTINGS max_partitions_per_insert_block = 0;
