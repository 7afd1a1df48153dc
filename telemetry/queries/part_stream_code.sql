(transform(channel, {channels:Array(String)}, {channel_codes:Array(UInt64)}, toUInt64(0))
                    + transform(platform, {platforms:Array(String)}, {platform_codes:Array(UInt64)}, toUInt64(0))
                    + transform(runtime_version, {runtime_versions:Array(String)}, {runtime_version_codes:Array(UInt64)}, toUInt64(0)))
