-- +goose Up

CREATE TABLE builds (
    id              bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id      bigint NOT NULL CONSTRAINT builds_project_fkey REFERENCES projects (id),
    uuid            uuid NOT NULL,
    platform        text NOT NULL,
    runtime_version text NOT NULL,
    message         text NOT NULL,
    client_config   jsonb,
    git_commit_hash text NOT NULL,
    git_branch      text NOT NULL,
    status          text NOT NULL,
    asset_count     integer NOT NULL,
    size_bytes      bigint NOT NULL,
    new_asset_count integer NOT NULL,
    new_bytes       bigint NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT builds_uuid_key UNIQUE (uuid),
    CONSTRAINT builds_tenant_key UNIQUE (project_id, id),
    CONSTRAINT builds_platform_check CHECK (platform IN ('ios', 'android')),
    CONSTRAINT builds_runtime_version_check CHECK (runtime_version <> ''),
    CONSTRAINT builds_status_check CHECK (status IN ('uploaded', 'published')),
    CONSTRAINT builds_client_config_check CHECK (jsonb_typeof(client_config) = 'object'),
    CONSTRAINT builds_counts_check CHECK (asset_count > 0 AND new_asset_count BETWEEN 0 AND asset_count
        AND size_bytes >= 0 AND new_bytes BETWEEN 0 AND size_bytes)
);

-- What the asset store holds, by content. A row stays when its last build goes:
-- the bytes are still there until garbage collection takes both.
CREATE TABLE blobs (
    project_id bigint NOT NULL CONSTRAINT blobs_project_fkey REFERENCES projects (id),
    md5        text NOT NULL,
    sha256     text NOT NULL,
    size_bytes bigint NOT NULL,
    PRIMARY KEY (project_id, md5),
    CONSTRAINT blobs_md5_check CHECK (md5 ~ '^[0-9a-f]{32}$'),
    CONSTRAINT blobs_sha256_check CHECK (sha256 ~ '^[A-Za-z0-9_-]{43}$'),
    CONSTRAINT blobs_size_check CHECK (size_bytes >= 0)
);

CREATE TABLE build_assets (
    build_id        bigint NOT NULL,
    project_id      bigint NOT NULL,
    path            text NOT NULL,
    md5             text NOT NULL,
    sha256          text NOT NULL,
    content_type    text NOT NULL,
    file_extension  text NOT NULL,
    size_bytes      bigint NOT NULL,
    is_launch_asset boolean NOT NULL,
    PRIMARY KEY (build_id, path),
    CONSTRAINT build_assets_build_fkey FOREIGN KEY (project_id, build_id) REFERENCES builds (project_id, id),
    CONSTRAINT build_assets_blob_fkey FOREIGN KEY (project_id, md5) REFERENCES blobs (project_id, md5),
    CONSTRAINT build_assets_path_check CHECK (path <> '')
);

CREATE UNIQUE INDEX build_assets_launch_key ON build_assets (build_id) WHERE is_launch_asset;
CREATE INDEX build_assets_blob_index ON build_assets (project_id, md5);
