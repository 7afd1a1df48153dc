-- +goose Up

-- Since when the health of a rollout counts, where it began to be counted afresh: its
-- release lost a linked flag then. Null is since the start.
ALTER TABLE rollout_executions
    ADD COLUMN counts_since timestamptz;
