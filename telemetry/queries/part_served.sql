(
            update_uuid IN {updates:Array(String)}
                AND (channel, platform, runtime_version, update_uuid) IN arrayZip(
                    {channels:Array(String)}, {platforms:Array(String)}, {runtime_versions:Array(String)}, {updates:Array(String)})
            OR {others:Bool} AND update_uuid = ''
                AND (channel, platform, runtime_version) NOT IN arrayZip(
                    {not_channels:Array(String)}, {not_platforms:Array(String)}, {not_runtime_versions:Array(String)})
        )
