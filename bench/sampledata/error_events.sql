-- Errors of 500 kinds on a day, each with its group, from {devices} devices on four updates of two platforms.
INSERT INTO health_events (
    project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid, type, name, message,
    error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states, fingerprint, culprit, title
)
SELECT
    {project},
    fromUnixTimestamp64Milli(toInt64(toUnixTimestamp64Milli(toDateTime64('{day} 00:00:00', 3, 'UTC')) + intDiv(number * {length}, {reports})), 'UTC'),
    generateUUIDv7(number), 0,
    toString(reinterpretAsUUID(sipHash128(cityHash64(number, {n}) % {devices}))) AS device,
    if(cityHash64(device) % 2 = 0, 'ios', 'android'), if(cityHash64(device) % 10 = 0, 'staging', 'production'), '1.0.0',
    toString(reinterpretAsUUID(sipHash128(cityHash64(device, {n}) % 4))),
    'js_error', '', concat('it failed after ', toString(number % 1000), ' ms'), 'TypeError',
    'at render (index.bundle:1:1)', '', false, 1, map(), map('cart', if(cityHash64(device, 1) % 2 = 0, 'on', 'off')),
    1 + cityHash64(number) % 500 AS kind, concat('render', toString(kind), ' (index.bundle)'), 'it failed after # ms'
FROM numbers({reports})
SETTINGS max_threads = 1, max_insert_block_size = 200000, max_partitions_per_insert_block = 0
