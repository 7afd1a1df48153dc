SELECT DISTINCT version_id
FROM goose_db_version
WHERE is_applied = 1
ORDER BY version_id
