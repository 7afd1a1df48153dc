-- +goose Up

-- Changes of flags that Waft makes at a later time.
CREATE TABLE flag_schedules (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id   bigint NOT NULL CONSTRAINT flag_schedules_project_fkey REFERENCES projects (id),
    -- The flag may be deleted before the time of the change.
    flag_id      bigint NOT NULL,
    flag_key     text NOT NULL,
    -- The version of the flag that the change was scheduled for.
    flag_version bigint NOT NULL,
    at           timestamptz NOT NULL,
    status       text NOT NULL CHECK (status IN
        ('pending_approval', 'scheduled', 'applied', 'cancelled', 'rejected', 'unapproved', 'stale', 'failed')),
    -- The whole content of the flag after the change.
    body         jsonb NOT NULL,
    summary      text NOT NULL,
    error        text NOT NULL,
    approval_id  bigint,
    author_type  text NOT NULL CHECK (author_type IN ('api_key', 'user')),
    author_id    text NOT NULL,
    author_name  text NOT NULL,
    request_id   text NOT NULL,
    workflow_id  text NOT NULL,
    created_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    CONSTRAINT flag_schedules_tenant_key UNIQUE (project_id, id),
    CONSTRAINT flag_schedules_approval_fkey FOREIGN KEY (project_id, approval_id) REFERENCES approvals (project_id, id),
    CONSTRAINT flag_schedules_ended_check CHECK ((ended_at IS NULL) = (status IN ('pending_approval', 'scheduled')))
);

CREATE INDEX flag_schedules_flag_index ON flag_schedules (project_id, flag_id, id);
CREATE UNIQUE INDEX flag_schedules_approval_key ON flag_schedules (project_id, approval_id);
