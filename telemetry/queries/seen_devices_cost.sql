-- How many devices last reported as devices of some channels, or as running some updates, since the start of an hour; with
-- streams, devices of these channels only with one of their platforms and runtime versions. FINAL keeps only a device's last report. Reports without a device id are of none.
SELECT count() AS devices
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND (channel IN {channels:Array(String)}
        AND (empty({platforms:Array(String)})
            OR (platform, runtime_version) IN arrayZip({platforms:Array(String)}, {runtime_versions:Array(String)}))
        OR update_uuid IN {updates:Array(String)})
    AND received_at >= {from:DateTime('UTC')}
    AND device_key != reinterpretAsUInt128(sipHash128(''))
