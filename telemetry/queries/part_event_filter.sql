(empty({types:Array(String)}) OR type IN {types:Array(String)})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
    AND (empty({device_ids:Array(String)}) OR device_id IN {device_ids:Array(String)})
    AND ({search:String} = ''
        OR lowerUTF8(concat(message, '\0', name, '\0', error_name)) LIKE lowerUTF8({search:String}))
