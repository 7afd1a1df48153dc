update_uuid IN {updates:Array(String)}
        AND (channel, platform, runtime_version, update_uuid) IN arrayZip(
            {channels:Array(String)}, {platforms:Array(String)}, {runtime_versions:Array(String)}, {updates:Array(String)})
