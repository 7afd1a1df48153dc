-- A report has four events: a launch, then what the person does. One in 50 reports
-- has an error and one in 300 a crash, with a stack. Three of the events name the
-- states of three flags.
INSERT INTO health_events (
    project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid,
    type, name, message, error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states
)
SELECT
    {project}, at, report_id, event, device_id, platform, channel, runtime_version, update_uuid,
    multiIf(event = 0, 'app_launch', event = 1 AND failed, 'js_error', event = 2 AND crashed, 'crash', 'custom') AS kind,
    if(kind = 'custom', concat('screen-', toString((random + event) % 40)), ''),
    if(kind IN ('js_error', 'crash'), concat('undefined is not an object, evaluating item ', toString(intDiv(random, 300) % 200)), ''),
    if(kind IN ('js_error', 'crash'), 'TypeError', ''),
    if(kind IN ('js_error', 'crash'), repeat(concat('at render (index.bundle:', toString(intDiv(random, 300) % 900), ')\n'), 20), ''), '',
    kind = 'crash', 1, map(),
    if(event = 3, map(), map('new-checkout', if(device % 5 = 0, 'true', 'false'), 'theme', toString(device % 3), 'search', 'a'))
FROM ({report})
ARRAY JOIN [0, 1, 2, 3] AS event
SETTINGS max_threads = 1
