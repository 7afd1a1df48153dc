-- +goose NO TRANSACTION
-- +goose Up
-- Nothing else writes to the new table yet, so this may begin again after a crash. Rows
-- are large; blocks of fewer of them take less memory.
TRUNCATE TABLE IF EXISTS activity_v2;

INSERT INTO activity_v2 (
    project_id, grain, dims, at, update_uuid, channel, platform, runtime_version,
    reports, launches, js_errors, crashes, devices, errored, crashed
)
SELECT
    project_id, grain, dims, at, update_uuid, channel, platform, runtime_version,
    reports, launches, js_errors, crashes, devices, errored, crashed
FROM activity_v1
WHERE (grain = 'slot' AND dims IN (0, 3, 7, 15))
    OR (grain IN ('hour', 'day') AND dims IN (0, 3, 7, 14, 15))
    OR (grain = 'week' AND dims = 14)
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 8192;

-- Channels had no rows of their own.
INSERT INTO activity_v2 (
    project_id, grain, dims, at, channel, reports, launches, js_errors, crashes, devices, errored, crashed
)
SELECT
    project_id, grain, 1, at, channel,
    sum(activity_v1.reports), sum(activity_v1.launches), sum(activity_v1.js_errors), sum(activity_v1.crashes),
    uniqCombined64MergeState(13)(activity_v1.devices),
    uniqCombined64MergeState(13)(activity_v1.errored),
    uniqCombined64MergeState(13)(activity_v1.crashed)
FROM activity_v1
WHERE grain != 'week' AND dims = 3
GROUP BY project_id, grain, at, channel
SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 8192;
