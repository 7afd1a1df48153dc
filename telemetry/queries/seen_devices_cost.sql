-- Number of devices whose last report since the start of an hour is from one of some channels, or on one of some
-- updates. If streams are given, devices of these channels count only with the platform and runtime version of a
-- stream. FINAL keeps only a device's last report. Reports without a device ID do not count.
SELECT count() AS devices
FROM devices FINAL
WHERE project_id = {project_id:Int64}
    AND (channel IN {channels:Array(String)}
        AND (empty({platforms:Array(String)})
            OR (platform, runtime_version) IN arrayZip({platforms:Array(String)}, {runtime_versions:Array(String)}))
        OR update_uuid IN {updates:Array(String)})
    AND received_at >= {from:DateTime('UTC')}
    AND device_key != reinterpretAsUInt128(sipHash128(''))
