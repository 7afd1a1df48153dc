-- goose records version 0 when it creates its table.
SELECT DISTINCT version_id
FROM waft_schema_versions
WHERE is_applied = 1 AND version_id > 0
ORDER BY version_id
