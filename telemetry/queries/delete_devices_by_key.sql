DELETE FROM {table:Identifier}
WHERE project_id = {project_id:Int64}
    AND has(arrayMap(id -> reinterpretAsUInt128(sipHash128(id)), {device_ids:Array(String)}), device_key)
