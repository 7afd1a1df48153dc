-- +goose NO TRANSACTION
-- +goose Up
-- Removed rather than left to grow stale: an older worker that still reads it gets
-- an error, and a rollout without data holds.
DROP VIEW IF EXISTS release_devices_mv_v1;

DROP TABLE IF EXISTS release_devices_v1;
