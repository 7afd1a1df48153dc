-- +goose Up

-- A page of a list costs what is on the page, however many records the project,
-- or any other project, has; see pageOf in store/query.go. Every index below ends
-- with the id that lists are ordered by.

-- Deleted and revoked records are not listed, and there may be many.
CREATE INDEX branches_live_index ON branches (project_id, id) WHERE deleted_at IS NULL;
CREATE INDEX api_keys_usable_index ON api_keys (project_id, id) WHERE revoked_at IS NULL;

-- One for each filter of the list of releases; releases_group_key serves groupId.
CREATE INDEX releases_channel_index ON releases (project_id, channel, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_branch_index ON releases (project_id, branch_id, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_platform_index ON releases (project_id, platform, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_runtime_version_index ON releases (project_id, runtime_version, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_enabled_index ON releases (project_id, is_enabled, id) WHERE deleted_at IS NULL;

-- A policy lists its open executions, few of the many that it had.
CREATE INDEX rollout_executions_open_policy_index ON rollout_executions (policy_id) WHERE status IN ('running', 'paused');
