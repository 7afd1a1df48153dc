-- +goose NO TRANSACTION
-- +goose Up
-- Every event as a device sent it, for people who look into an incident.
-- Decisions never read it: they rest on health_reports_v1 and release_devices_v1.
CREATE TABLE IF NOT EXISTS health_events_v1
(
    project_id      Int64,
    -- When the API took the report in. A device's own clock is not trusted.
    received_at     DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
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
    update_uuid     String CODEC(ZSTD(1)),
    type            LowCardinality(String),
    name            String CODEC(ZSTD(1)),
    message         String CODEC(ZSTD(1)),
    error_name      LowCardinality(String),
    stack_trace     String CODEC(ZSTD(3)),
    component_stack String CODEC(ZSTD(3)),
    is_fatal        Bool,
    count           UInt32,
    tags            Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    flag_states     Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(1))
)
ENGINE = MergeTree
-- A day is dropped whole, which costs nothing; deleting rows would rewrite parts.
PARTITION BY toDate(received_at)
-- Events are listed for one project, newest first; every other filter is optional.
ORDER BY (project_id, received_at, report_id, event_index)
TTL toDateTime(received_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    -- How many insert tokens are remembered. A node inserts at most five ranges a
    -- second, so this is some minutes for a dozen nodes; a retry comes within seconds.
    non_replicated_deduplication_window = 10000;
