SELECT DISTINCT version_id
FROM waft_schema_versions
WHERE is_applied = 1
ORDER BY version_id
