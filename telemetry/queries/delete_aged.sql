DELETE FROM {table:Identifier}
WHERE project_id = {project_id:Int64} AND toDate({aged_by:Identifier}) < toDate({before:DateTime64(3, 'UTC')})
