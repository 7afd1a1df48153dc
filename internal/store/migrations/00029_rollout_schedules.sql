-- +goose Up

-- When a policy's rollouts may start and advance; an execution keeps its own copy.
ALTER TABLE rollout_policies
    ADD COLUMN schedule jsonb NOT NULL DEFAULT '{}',
    ADD CONSTRAINT rollout_policies_schedule_check CHECK (jsonb_typeof(schedule) = 'object');
ALTER TABLE rollout_executions
    ADD COLUMN schedule jsonb NOT NULL DEFAULT '{}',
    ADD CONSTRAINT rollout_executions_schedule_check CHECK (jsonb_typeof(schedule) = 'object');

ALTER TABLE rollout_events
    DROP CONSTRAINT rollout_events_event_check,
    ADD CONSTRAINT rollout_events_event_check CHECK (event IN ('started', 'stage_advanced', 'paused', 'resumed', 'held',
        'completed', 'cancelled', 'rolled_back', 'flags_reverted'));
