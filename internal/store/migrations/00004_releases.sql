-- +goose Up

CREATE TABLE releases (
    id                     bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id             bigint NOT NULL CONSTRAINT releases_project_fkey REFERENCES projects (id),
    update_uuid            uuid NOT NULL,
    group_id               uuid NOT NULL,
    build_id               bigint,
    branch_id              bigint NOT NULL,
    -- The name of the channel it was published to: history, so no foreign key.
    channel                text,
    platform               text NOT NULL,
    runtime_version        text NOT NULL,
    is_enabled             boolean NOT NULL,
    is_critical            boolean NOT NULL,
    rollout_percentage     double precision NOT NULL,
    -- The greatest share the release ever had while enabled: these devices may
    -- hold it, so a rollback must reach them all.
    reached_percentage     double precision NOT NULL,
    share_salt             text NOT NULL,
    release_message        text NOT NULL,
    kind                   text NOT NULL,
    republished_from_id    bigint,
    rolled_back_update_ids jsonb NOT NULL,
    git_commit_hash        text NOT NULL,
    git_branch             text NOT NULL,
    asset_count            integer NOT NULL,
    size_bytes             bigint NOT NULL,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL,
    deleted_at             timestamptz,
    CONSTRAINT releases_update_uuid_key UNIQUE (update_uuid),
    CONSTRAINT releases_tenant_key UNIQUE (project_id, id),
    -- Clients order updates by this time, in whole milliseconds.
    CONSTRAINT releases_created_at_key UNIQUE (project_id, created_at),
    CONSTRAINT releases_created_at_check CHECK (extract(microseconds FROM created_at)::bigint % 1000 = 0),
    CONSTRAINT releases_build_fkey FOREIGN KEY (project_id, build_id) REFERENCES builds (project_id, id),
    CONSTRAINT releases_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT releases_republished_from_fkey FOREIGN KEY (project_id, republished_from_id) REFERENCES releases (project_id, id),
    CONSTRAINT releases_platform_check CHECK (platform IN ('ios', 'android')),
    CONSTRAINT releases_runtime_version_check CHECK (runtime_version <> ''),
    CONSTRAINT releases_percentage_check CHECK (rollout_percentage BETWEEN 0 AND 100),
    CONSTRAINT releases_reached_check CHECK (reached_percentage BETWEEN 0 AND 100
        AND (NOT is_enabled OR deleted_at IS NOT NULL OR reached_percentage >= rollout_percentage)),
    -- A deleted release may outlive its build.
    CONSTRAINT releases_kind_check CHECK (
        (kind = 'update' AND (build_id IS NOT NULL OR deleted_at IS NOT NULL))
        OR (kind = 'rollback_to_embedded' AND build_id IS NULL)),
    CONSTRAINT releases_rolled_back_check CHECK (jsonb_typeof(rolled_back_update_ids) = 'array')
);

-- One release of a group for each platform and branch.
CREATE UNIQUE INDEX releases_group_key ON releases (group_id, platform, branch_id) WHERE deleted_at IS NULL;
CREATE INDEX releases_stream_index ON releases (branch_id, platform, runtime_version, created_at) WHERE deleted_at IS NULL;
CREATE INDEX releases_live_index ON releases (project_id, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_deleted_index ON releases (project_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX releases_build_index ON releases (build_id);
CREATE INDEX releases_republished_from_index ON releases (republished_from_id) WHERE republished_from_id IS NOT NULL;
