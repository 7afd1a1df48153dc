-- +goose Up

CREATE TABLE branches (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT branches_project_fkey REFERENCES projects (id),
    name       text NOT NULL,
    created_at timestamptz NOT NULL,
    -- A deleted branch stays as the name of the releases it had.
    deleted_at timestamptz,
    -- What foreign keys that name the project as well refer to: they keep a
    -- record from pointing into another project.
    CONSTRAINT branches_tenant_key UNIQUE (project_id, id),
    CONSTRAINT branches_name_check CHECK (name <> '')
);

CREATE UNIQUE INDEX branches_name_key ON branches (project_id, name) WHERE deleted_at IS NULL;

CREATE TABLE channels (
    id                  bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id          bigint NOT NULL CONSTRAINT channels_project_fkey REFERENCES projects (id),
    name                text NOT NULL,
    branch_id           bigint NOT NULL,
    rollout_branch_id   bigint,
    rollout_percentage  double precision,
    min_runtime_version text,
    is_paused           boolean NOT NULL,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    CONSTRAINT channels_name_key UNIQUE (project_id, name),
    CONSTRAINT channels_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT channels_rollout_branch_fkey FOREIGN KEY (project_id, rollout_branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT channels_name_check CHECK (name <> ''),
    CONSTRAINT channels_share_check CHECK ((rollout_branch_id IS NULL) = (rollout_percentage IS NULL)),
    CONSTRAINT channels_percentage_check CHECK (rollout_percentage BETWEEN 0 AND 100)
);

CREATE INDEX channels_branch_index ON channels (branch_id);
CREATE INDEX channels_rollout_branch_index ON channels (rollout_branch_id) WHERE rollout_branch_id IS NOT NULL;
