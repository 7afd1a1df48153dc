-- +goose Up

CREATE TABLE rollout_policies (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id  bigint NOT NULL CONSTRAINT rollout_policies_project_fkey REFERENCES projects (id),
    name        text NOT NULL,
    description text NOT NULL,
    channel     text,
    is_active   boolean NOT NULL,
    stages      jsonb NOT NULL,
    thresholds  jsonb NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT rollout_policies_tenant_key UNIQUE (project_id, id),
    CONSTRAINT rollout_policies_name_check CHECK (name <> ''),
    CONSTRAINT rollout_policies_stages_check CHECK (jsonb_typeof(stages) = 'array' AND jsonb_array_length(stages) > 0),
    CONSTRAINT rollout_policies_thresholds_check CHECK (jsonb_typeof(thresholds) = 'object')
);

CREATE TABLE rollout_executions (
    id               bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id       bigint NOT NULL CONSTRAINT rollout_executions_project_fkey REFERENCES projects (id),
    policy_id        bigint,
    policy_name      text NOT NULL,
    update_id        bigint NOT NULL,
    update_uuid      uuid NOT NULL,
    group_id         uuid NOT NULL,
    channel          text,
    platform         text NOT NULL,
    runtime_version  text NOT NULL,
    status           text NOT NULL,
    stage_index      integer NOT NULL,
    stages           jsonb NOT NULL,
    thresholds       jsonb NOT NULL,
    percentage       double precision NOT NULL,
    waiting_for      text NOT NULL,
    reason           text NOT NULL,
    health           jsonb,
    started_at       timestamptz NOT NULL,
    stage_started_at timestamptz NOT NULL,
    paused_at        timestamptz,
    ended_at         timestamptz,
    workflow_id      text NOT NULL,
    run_id           text NOT NULL,
    version          bigint NOT NULL,
    CONSTRAINT rollout_executions_tenant_key UNIQUE (project_id, id),
    CONSTRAINT rollout_executions_workflow_key UNIQUE (workflow_id),
    CONSTRAINT rollout_executions_policy_fkey FOREIGN KEY (project_id, policy_id) REFERENCES rollout_policies (project_id, id),
    CONSTRAINT rollout_executions_update_fkey FOREIGN KEY (project_id, update_id) REFERENCES releases (project_id, id),
    CONSTRAINT rollout_executions_platform_check CHECK (platform IN ('ios', 'android')),
    CONSTRAINT rollout_executions_status_check CHECK (status IN ('running', 'paused', 'completed', 'rolled_back', 'cancelled')),
    CONSTRAINT rollout_executions_ended_check CHECK ((status IN ('running', 'paused')) = (ended_at IS NULL)),
    CONSTRAINT rollout_executions_stage_check CHECK (stage_index >= 0 AND stage_index < jsonb_array_length(stages)),
    CONSTRAINT rollout_executions_percentage_check CHECK (percentage BETWEEN 0 AND 100),
    CONSTRAINT rollout_executions_waiting_check CHECK (waiting_for IN ('', 'duration', 'devices', 'threshold', 'data', 'resume')),
    CONSTRAINT rollout_executions_version_check CHECK (version >= 0)
);

-- Two executions would fight over one release's share.
CREATE UNIQUE INDEX rollout_executions_open_key ON rollout_executions (update_id) WHERE status IN ('running', 'paused');
CREATE INDEX rollout_executions_update_index ON rollout_executions (update_id);
CREATE INDEX rollout_executions_policy_index ON rollout_executions (policy_id);

CREATE TABLE rollout_events (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    execution_id bigint NOT NULL,
    project_id   bigint NOT NULL,
    at           timestamptz NOT NULL,
    event        text NOT NULL,
    actor        text NOT NULL,
    from_stage   integer NOT NULL,
    to_stage     integer NOT NULL,
    percentage   double precision NOT NULL,
    reason       text NOT NULL,
    health       jsonb,
    CONSTRAINT rollout_events_execution_fkey FOREIGN KEY (project_id, execution_id) REFERENCES rollout_executions (project_id, id),
    CONSTRAINT rollout_events_event_check CHECK (event IN ('started', 'stage_advanced', 'paused', 'resumed', 'held',
        'completed', 'cancelled', 'rolled_back')),
    CONSTRAINT rollout_events_percentage_check CHECK (percentage BETWEEN 0 AND 100)
);

CREATE INDEX rollout_events_execution_index ON rollout_events (execution_id, id);
