-- +goose Up

-- The end of the freeze window that holds the rollout, NULL for other events.
ALTER TABLE rollout_events ADD COLUMN held_until timestamptz;
