({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
        AND ({channel:String} = '' OR channel = {channel:String})
        AND ({platform:String} = '' OR platform = {platform:String})
        AND ({runtime_version:String} = '' OR runtime_version = {runtime_version:String})
