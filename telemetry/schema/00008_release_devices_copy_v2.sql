-- +goose NO TRANSACTION
-- +goose Up
-- Devices from before serves were recorded count as served when they first reported:
-- a rollout under way must not lose them all at once. All but launches, which are
-- shown and never decided on, stay right when this runs again after a crash.
INSERT INTO release_devices_v2 (
    project_id, update_uuid, device_key, device_id, first_at, last_at, first_error_at,
    first_crash_at, first_served_at, launches, touched_at
)
SELECT
    project_id, update_uuid, device_key, device_id, first_at, last_at, first_error_at,
    first_crash_at, first_at, launches, last_at
FROM release_devices_v1;
