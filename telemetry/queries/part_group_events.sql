type IN ('js_error', 'crash')
    AND fingerprint != 0
    AND received_at >= {from:DateTime64(3, 'UTC')} AND received_at < {to:DateTime64(3, 'UTC')}
    AND ({fingerprint:UInt64} = 0 OR fingerprint = {fingerprint:UInt64})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
