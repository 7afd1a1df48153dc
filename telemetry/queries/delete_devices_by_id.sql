DELETE FROM {table:Identifier}
WHERE project_id = {project_id:Int64} AND device_id IN {device_ids:Array(String)}
