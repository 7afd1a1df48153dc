SELECT count() > 0
FROM system.tables
WHERE database = currentDatabase() AND name = {name:String}
