-- +goose NO TRANSACTION
-- +goose Up
-- One row per event, as the device sent it, for the investigation of incidents. Decisions read health_reports and
-- device_releases instead.
CREATE TABLE IF NOT EXISTS health_events
(
    project_id      Int64,
    -- Time at which the API received the report. The device's own clock is not trusted.
    received_at     DateTime64(3, 'UTC') CODEC(Delta, LZ4),
    -- UUIDv7. It is assigned before the report is acknowledged, so that a retry keeps it.
    report_id       UUID,
    -- Position of the event within its report.
    event_index     UInt16,
    event_id        String ALIAS concat(toString(report_id), '-', toString(event_index)),
    device_id       String CODEC(ZSTD(1)),
    platform        LowCardinality(String),
    channel         LowCardinality(String),
    runtime_version LowCardinality(String),
    -- Empty for the embedded update.
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
    -- The error group (see error_groups). 0 and '' for events that are not errors.
    fingerprint     UInt64 CODEC(ZSTD(1)),
    culprit         String CODEC(ZSTD(1)),
    title           String CODEC(ZSTD(1)),
    INDEX update_index update_uuid TYPE set(100) GRANULARITY 4,
    INDEX type_index type TYPE set(8) GRANULARITY 4,
    INDEX device_index device_id TYPE bloom_filter(0.001) GRANULARITY 1,
    -- The expression must equal the expression in queries/telemetry_events.sql.
    INDEX text_index lowerUTF8(concat(message, '\0', name, '\0', error_name)) TYPE ngrambf_v1(3, 4096, 3, 0) GRANULARITY 2
)
ENGINE = MergeTree
-- A day is dropped as a whole. Errors and crashes have parts of their own, because they are few and most searches are
-- for them.
PARTITION BY (toDate(received_at), type IN ('js_error', 'crash'))
ORDER BY (project_id, received_at, report_id, event_index)
TTL toDateTime(received_at) + INTERVAL 30 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    -- Smaller parts are stored as a single file, so that a page with few events from many days opens few files.
    min_bytes_for_wide_part = 268435456,
    -- Number of deduplication tokens that are kept: the tokens of some minutes of a dozen processes, which insert at
    -- most five ranges per second. A retry follows within seconds.
    non_replicated_deduplication_window = 10000;
