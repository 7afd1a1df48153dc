(empty({device_ids:Array(String)})
        OR device_key IN arrayMap(id -> reinterpretAsUInt128(sipHash128(id)), {device_ids:Array(String)}))
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND device_key != reinterpretAsUInt128(sipHash128(''))
    AND ({search:String} = '' OR device_key IN
    (
        SELECT device_key
        FROM device_totals
        WHERE project_id = {project_id:Int64}
            AND (device_id LIKE {search:String} OR device_id IN {search_ids:Array(String)})
    ))
