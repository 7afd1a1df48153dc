-- +goose NO TRANSACTION
-- +goose Up
-- Every event as a device sent it, for people who look into an incident, as
-- health_events_v1, with what failed in parts of its own: errors and crashes are a few
-- events in a hundred and most of what people look for. A page of them used to have each
-- in another granule, of which every column was unpacked; now they lie side by side, and
-- their texts are not looked for among screens and launches.
-- Decisions never read it: they rest on health_reports_v1 and release_devices_v2.
CREATE TABLE IF NOT EXISTS health_events_v2
(
    project_id      Int64,
    -- When the API took the report in. A device's own clock is not trusted.
    received_at     DateTime64(3, 'UTC') CODEC(Delta, LZ4),
    -- UUIDv7 of the report, given before it was acknowledged, so that an event
    -- keeps its id through every retry.
    report_id       UUID,
    -- Position of the event within its report.
    event_index     UInt16,
    event_id        String ALIAS concat(toString(report_id), '-', toString(event_index)),
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- Empty for the embedded bundle.
    update_uuid     String CODEC(LZ4),
    type            LowCardinality(String),
    name            String CODEC(LZ4),
    message         String CODEC(LZ4),
    error_name      LowCardinality(String),
    stack_trace     String CODEC(ZSTD(3)),
    component_stack String CODEC(ZSTD(3)),
    is_fatal        Bool,
    count           UInt32,
    tags            Map(LowCardinality(String), String) CODEC(LZ4),
    flag_states     Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(1)),
    -- The list is read newest first and stops at a full page; these let it pass over what
    -- cannot hold what somebody looks for. 00030_event_codecs.sql says why they are as
    -- large as they are, and why columns that a page unpacks have LZ4.
    INDEX update_index update_uuid TYPE set(100) GRANULARITY 4,
    INDEX type_index type TYPE set(8) GRANULARITY 4,
    INDEX device_index device_id TYPE bloom_filter(0.001) GRANULARITY 1,
    -- The expression must be the one of queries/telemetry_events.sql.
    INDEX text_index lowerUTF8(concat(message, '\0', name, '\0', error_name)) TYPE ngrambf_v1(3, 4096, 3, 0) GRANULARITY 2
)
ENGINE = MergeTree
-- A day is dropped whole, which costs nothing; deleting rows would rewrite parts.
PARTITION BY (toDate(received_at), type IN ('js_error', 'crash'))
-- Events are listed for one project, newest first; every other filter is optional.
ORDER BY (project_id, received_at, report_id, event_index)
TTL toDateTime(received_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    -- How many insert tokens are remembered. A node inserts at most five ranges a
    -- second, so this is some minutes for a dozen nodes; a retry comes within seconds.
    non_replicated_deduplication_window = 10000;

-- What is in health_events_v1 is moved. It takes nothing in any more, so that reports wait
-- in the ingest logs until 00033. What was being inserted just now ends while the second
-- statement sleeps; it does so only where there is something to move, and inserts nothing.
ALTER TABLE health_events_v1 ADD CONSTRAINT IF NOT EXISTS moved_to_health_events_v2 CHECK project_id < 0;

INSERT INTO health_events_v2 (project_id)
SELECT project_id
FROM
(
    SELECT project_id
    FROM health_events_v1
    LIMIT 1
)
WHERE sleep(2) = 1;
