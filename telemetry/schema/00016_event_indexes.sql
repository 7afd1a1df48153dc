-- +goose NO TRANSACTION
-- +goose Up
-- The list of events is read newest first and stops at a full page; these let it pass
-- over what cannot hold the device or release that somebody looks for. They are made
-- for new events; older ones are found without them.
ALTER TABLE health_events_v1 ADD INDEX IF NOT EXISTS device_index device_id TYPE bloom_filter(0.01) GRANULARITY 4;

ALTER TABLE health_events_v1 ADD INDEX IF NOT EXISTS update_index update_uuid TYPE set(100) GRANULARITY 4;

ALTER TABLE health_events_v1 ADD INDEX IF NOT EXISTS type_index type TYPE set(8) GRANULARITY 4;
