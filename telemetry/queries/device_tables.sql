-- All tables with rows of single devices, with their columns for the device and for the age.
SELECT
    columns.table AS name,
    countIf(columns.name = 'device_id') > 0 AS by_id,
    argMinIf(columns.name, indexOf(['received_at', 'served_at', 'touched_at', 'day'], columns.name),
        columns.name IN ('received_at', 'served_at', 'touched_at', 'day')) AS aged_by
FROM system.columns AS columns
INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
WHERE columns.database = currentDatabase() AND tables.engine LIKE '%MergeTree'
GROUP BY name
HAVING countIf(columns.name = 'project_id') > 0 AND countIf(columns.name IN ('device_id', 'device_key')) > 0
ORDER BY name
