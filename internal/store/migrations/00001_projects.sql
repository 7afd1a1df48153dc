-- +goose Up

-- Every table takes its ids from this one sequence, so that an id names one
-- record of the whole installation.
CREATE SEQUENCE waft_ids AS bigint;

CREATE TABLE projects (
    id                  bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    uuid                uuid NOT NULL,
    name                text NOT NULL,
    slug                text NOT NULL,
    created_at          timestamptz NOT NULL,
    snapshot_version    bigint NOT NULL,
    -- The release clock: Unix milliseconds of the newest release. It only grows.
    last_release_millis bigint NOT NULL,
    CONSTRAINT projects_uuid_key UNIQUE (uuid),
    CONSTRAINT projects_slug_key UNIQUE (slug),
    CONSTRAINT projects_name_check CHECK (name <> ''),
    CONSTRAINT projects_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$')
);

CREATE TABLE api_keys (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id   bigint NOT NULL CONSTRAINT api_keys_project_fkey REFERENCES projects (id),
    name         text NOT NULL,
    role         text NOT NULL,
    prefix       text NOT NULL,
    -- SHA-256 of the secret; the secret itself is never stored.
    secret_hash  bytea NOT NULL,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz NOT NULL,
    -- The prefix alone finds a key, so it is unique over all projects and stays
    -- taken after the key is revoked.
    CONSTRAINT api_keys_prefix_key UNIQUE (prefix),
    CONSTRAINT api_keys_role_check CHECK (role IN ('viewer', 'editor', 'admin')),
    CONSTRAINT api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32)
);

CREATE INDEX api_keys_project_index ON api_keys (project_id, id);
