(grain = 'day' AND at >= {days_from:DateTime('UTC')} AND at < {days_to:DateTime('UTC')}
        OR grain = 'hour' AND (at >= {from:DateTime('UTC')} AND at < {head_to:DateTime('UTC')}
            OR at >= {tail_from:DateTime('UTC')} AND at < {to:DateTime('UTC')}))
    AND dims = {dims:UInt8}
    AND ({fingerprint:UInt64} = 0 OR fingerprint = {fingerprint:UInt64})
    AND ({channel:String} = '' OR channel = {channel:String})
    AND ({platform:String} = '' OR platform = {platform:String})
    AND ({update_uuid:String} = '' OR update_uuid = {update_uuid:String})
