-- +goose Up

-- The time until which the stage runs at least after the end of a hold, NULL for other events.
ALTER TABLE rollout_events ADD COLUMN runs_until timestamptz;
