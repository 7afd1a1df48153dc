SELECT count() > 0
FROM system.databases
WHERE name = {name:String}
