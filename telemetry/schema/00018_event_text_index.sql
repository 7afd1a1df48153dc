-- +goose NO TRANSACTION
-- +goose Up
-- Whoever searches for a text looks through 30 days of events when it is rare. This
-- lets the search pass over 8,192 events at a time that hold not all three-letter
-- pieces of the text: 8 KiB are enough for some ten thousand different pieces. The
-- expression must be the one of queries/telemetry_events.sql. It is made for new events;
-- older ones are found without it.
ALTER TABLE health_events_v1 ADD INDEX IF NOT EXISTS text_index
    lowerUTF8(concat(message, '\0', name, '\0', error_name)) TYPE ngrambf_v1(3, 8192, 3, 0) GRANULARITY 1;
