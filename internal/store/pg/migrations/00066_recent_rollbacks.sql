-- +goose Up

-- Finds the rollouts that were rolled back recently without reading the older ones.
CREATE INDEX rollout_executions_rolled_back_index ON rollout_executions (project_id, ended_at) WHERE status = 'rolled_back';
