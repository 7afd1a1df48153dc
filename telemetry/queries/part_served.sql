(
            update_uuid IN {updates:Array(String)}
                AND {stream_code} + transform(update_uuid, {updates:Array(String)}, {update_codes:Array(UInt64)}, toUInt64(0))
                    IN {served_codes:Array(UInt64)}
            OR {others:Bool} AND update_uuid = '' AND {stream_code} NOT IN {stream_codes:Array(UInt64)}
        )
