-- +goose Up

-- Projects, keys and answers.

-- All tables take their ids from it: an id names one record of the whole installation.
CREATE SEQUENCE waft_ids AS bigint;

CREATE TABLE projects (
    id                       bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    uuid                     uuid NOT NULL UNIQUE,
    name                     text NOT NULL CHECK (name <> ''),
    slug                     text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    created_at               timestamptz NOT NULL,
    snapshot_version         bigint NOT NULL,
    -- The release clock: Unix milliseconds of the newest release. It only grows.
    last_release_millis      bigint NOT NULL,
    -- How many days a build is kept that no release needs; NULL keeps it for ever.
    build_retention_days     integer DEFAULT 90,
    -- How many days telemetry of the project is kept; NULL keeps it as long as ClickHouse keeps any.
    telemetry_retention_days integer,
    -- When a worker last deleted what is older than telemetry_retention_days.
    telemetry_swept_at       timestamptz,
    -- Whether telemetry stores a keyed hash of device ids instead of the ids.
    hash_ids                 boolean NOT NULL DEFAULT false,
    -- What device ids and networks are hashed with. It never changes: under another key every
    -- device and every network would count as a new one. '' lets the next start make one.
    sealed_hash_key          text NOT NULL,
    -- Networks, such as 203.0.113.0/24, in which each device is a network of its own.
    trusted_networks         jsonb NOT NULL DEFAULT '[]',
    -- Whether a channel is protected. It is here, since a change reads the row after it has locked it, so what it
    -- reads is what the changes before it left.
    has_protected            boolean NOT NULL DEFAULT false,
    CONSTRAINT projects_build_retention_check CHECK (build_retention_days BETWEEN 1 AND 3650),
    CONSTRAINT projects_telemetry_retention_check CHECK (telemetry_retention_days BETWEEN 1 AND 365),
    CONSTRAINT projects_hash_key_check CHECK (sealed_hash_key = '' OR sealed_hash_key ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$'),
    CONSTRAINT projects_trusted_networks_check CHECK (jsonb_typeof(trusted_networks) = 'array')
);

CREATE TABLE api_keys (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id   bigint NOT NULL CONSTRAINT api_keys_project_fkey REFERENCES projects (id),
    name         text NOT NULL,
    role         text NOT NULL CHECK (role IN ('client', 'viewer', 'editor', 'admin')),
    prefix       text NOT NULL,
    -- SHA-256 of the secret; the secret itself is never stored.
    secret_hash  bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz NOT NULL,
    -- The trusted publisher of a short-lived key, which may be removed by now; null for a key that a caller made.
    publisher_id bigint,
    -- The only channels that the key may change, a JSON array; null for all.
    channels     jsonb,
    -- The user who made the key, also by way of another key.
    made_by      bigint,
    -- A request finds its key by the prefix alone, so the prefix of a revoked key stays taken.
    CONSTRAINT api_keys_prefix_key UNIQUE (prefix),
    CONSTRAINT api_keys_publisher_check CHECK (publisher_id IS NULL OR expires_at IS NOT NULL)
);

CREATE INDEX api_keys_project_index ON api_keys (project_id, id);
CREATE INDEX api_keys_usable_index ON api_keys (project_id, id) WHERE revoked_at IS NULL AND publisher_id IS NULL;
CREATE INDEX api_keys_short_lived_index ON api_keys (project_id, id) WHERE publisher_id IS NOT NULL;
CREATE INDEX api_keys_publisher_index ON api_keys (publisher_id, expires_at) WHERE publisher_id IS NOT NULL;
CREATE INDEX api_keys_past_index ON api_keys (expires_at) WHERE publisher_id IS NOT NULL;

-- Whose id tokens are exchanged for short-lived keys.
CREATE TABLE trusted_publishers (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT trusted_publishers_project_fkey REFERENCES projects (id),
    position   integer NOT NULL CHECK (position >= 0),
    issuer     text NOT NULL CHECK (issuer LIKE 'https://%'),
    audience   text NOT NULL CHECK (audience <> ''),
    -- An object of texts, never empty.
    claims     jsonb NOT NULL CHECK (jsonb_typeof(claims) = 'object' AND claims <> '{}'),
    role       text NOT NULL CHECK (role IN ('viewer', 'editor')),
    channels   jsonb,
    created_at timestamptz NOT NULL
);

CREATE INDEX trusted_publishers_project_index ON trusted_publishers (project_id, position);

-- Id tokens that were exchanged, until they expire: each is exchanged once.
CREATE TABLE exchanged_tokens (
    -- SHA-256 of the issuer and the claims; the token itself is never stored.
    digest     bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    expires_at timestamptz NOT NULL
);

CREATE INDEX exchanged_tokens_expiry_index ON exchanged_tokens (expires_at);

-- People.

CREATE TABLE users (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    email         text NOT NULL CHECK (email <> ''),
    -- The address in NFKC and without case: accounts are found and compared by it.
    email_key     text NOT NULL CHECK (email_key <> ''),
    name          text NOT NULL,
    -- Argon2id as a PHC string; '' for an account without a password.
    password_hash text NOT NULL CHECK (password_hash = '' OR password_hash LIKE '$argon2id$%'),
    is_owner      boolean NOT NULL,
    -- What authenticators know the user by.
    handle        bytea NOT NULL CHECK (octet_length(handle) = 32),
    created_at    timestamptz NOT NULL,
    CONSTRAINT users_email_key UNIQUE (email_key),
    CONSTRAINT users_handle_key UNIQUE (handle)
);

CREATE INDEX users_owner_index ON users (id) WHERE is_owner;

CREATE TABLE members (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT members_project_fkey REFERENCES projects (id),
    user_id    bigint NOT NULL CONSTRAINT members_user_fkey REFERENCES users (id),
    role       text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    -- What gave the membership: an invitation, that the user is an owner, or groups of an identity provider.
    source     text NOT NULL CHECK (source IN ('invitation', 'owner', 'groups')),
    created_at timestamptz NOT NULL,
    CONSTRAINT members_user_key UNIQUE (project_id, user_id)
);

CREATE INDEX members_project_index ON members (project_id, id);
CREATE INDEX members_user_index ON members (user_id, project_id);

CREATE TABLE invitations (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT invitations_project_fkey REFERENCES projects (id),
    email      text NOT NULL CHECK (email <> ''),
    email_key  text NOT NULL CHECK (email_key <> ''),
    role       text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    -- SHA-256 of the token in the link. An invitation that was accepted or revoked has no row.
    token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    invited_by text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT invitations_token_key UNIQUE (token_hash),
    CONSTRAINT invitations_email_key UNIQUE (project_id, email_key)
);

CREATE INDEX invitations_project_index ON invitations (project_id, id);
CREATE INDEX invitations_person_index ON invitations (email_key);

CREATE TABLE sessions (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    user_id      bigint NOT NULL CONSTRAINT sessions_user_fkey REFERENCES users (id),
    -- SHA-256 of the token in the cookie; the token itself is never stored.
    token_hash   bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    method       text NOT NULL CHECK (method IN ('password', 'oidc', 'passkey', 'setup', 'invitation')),
    address      text NOT NULL,
    user_agent   text NOT NULL,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT sessions_token_key UNIQUE (token_hash)
);

CREATE INDEX sessions_user_index ON sessions (user_id, id);

-- Calls that wait for approvals.
CREATE TABLE approvals (
    id                 bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id         bigint NOT NULL CONSTRAINT approvals_project_fkey REFERENCES projects (id),
    status             text NOT NULL CHECK (status IN ('pending', 'approved', 'carried_out', 'stale', 'rejected', 'expired')),
    action             text NOT NULL,
    summary            text NOT NULL,
    -- The names of the protected channels.
    channels           jsonb NOT NULL CHECK (jsonb_typeof(channels) = 'array'),
    required_approvals integer NOT NULL CHECK (required_approvals > 0),
    -- SHA-256 of the facts by which people decide.
    basis              bytea NOT NULL CHECK (octet_length(basis) = 32),
    method             text NOT NULL,
    path               text NOT NULL,
    body               bytea NOT NULL,
    call_hash          bytea NOT NULL CHECK (octet_length(call_hash) = 32),
    author_type        text NOT NULL CHECK (author_type IN ('api_key', 'user')),
    author_id          text NOT NULL,
    author_name        text NOT NULL,
    request_id         text NOT NULL,
    key_made_by        bigint,
    error              text NOT NULL,
    workflow_id        text NOT NULL,
    created_at         timestamptz NOT NULL,
    expires_at         timestamptz NOT NULL,
    ended_at           timestamptz,
    CONSTRAINT approvals_tenant_key UNIQUE (project_id, id),
    CONSTRAINT approvals_ended_check CHECK ((ended_at IS NULL) = (status IN ('pending', 'approved')))
);

CREATE INDEX approvals_project_index ON approvals (project_id, id);
CREATE INDEX approvals_status_index ON approvals (project_id, status, id);
-- An author that repeats a call waits once.
CREATE UNIQUE INDEX approvals_pending_key ON approvals (project_id, author_type, author_id, call_hash) WHERE status = 'pending';

CREATE TABLE approval_decisions (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    approval_id bigint NOT NULL,
    project_id  bigint NOT NULL,
    verdict     text NOT NULL CHECK (verdict IN ('approve', 'reject')),
    actor_type  text NOT NULL CHECK (actor_type IN ('api_key', 'user')),
    actor_id    text NOT NULL,
    actor_name  text NOT NULL,
    comment     text NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT approval_decisions_approval_fkey FOREIGN KEY (project_id, approval_id) REFERENCES approvals (project_id, id),
    CONSTRAINT approval_decisions_actor_key UNIQUE (approval_id, actor_type, actor_id),
    CONSTRAINT approval_decisions_approver_check CHECK (verdict <> 'approve' OR actor_type = 'user')
);

CREATE INDEX approval_decisions_project_index ON approval_decisions (project_id);

-- What identity providers know users by: never the address alone.
CREATE TABLE identities (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    user_id    bigint NOT NULL CONSTRAINT identities_user_fkey REFERENCES users (id),
    issuer     text NOT NULL CHECK (issuer <> ''),
    subject    text NOT NULL CHECK (subject <> ''),
    created_at timestamptz NOT NULL,
    CONSTRAINT identities_subject_key UNIQUE (issuer, subject)
);

CREATE INDEX identities_user_index ON identities (user_id);

CREATE TABLE passkeys (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    user_id       bigint NOT NULL CONSTRAINT passkeys_user_fkey REFERENCES users (id),
    name          text NOT NULL CHECK (name <> ''),
    -- The domain that the passkey works on.
    rp_id         text NOT NULL CHECK (rp_id <> ''),
    -- WebAuthn allows ids of up to 1,023 bytes.
    credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    public_key    bytea NOT NULL CHECK (octet_length(public_key) > 0),
    -- Of the authenticator data.
    flags         smallint NOT NULL CHECK (flags BETWEEN 0 AND 255),
    sign_count    bigint NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
    clone_warning boolean NOT NULL,
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz,
    CONSTRAINT passkeys_credential_key UNIQUE (credential_id)
);

CREATE INDEX passkeys_user_index ON passkeys (user_id, id);

-- Challenges that authenticators have answered, until they expire: an answer that is sent again is refused.
CREATE TABLE answered_challenges (
    challenge_hash bytea PRIMARY KEY CHECK (octet_length(challenge_hash) = 32),
    expires_at     timestamptz NOT NULL
);

CREATE INDEX answered_challenges_expires_index ON answered_challenges (expires_at);

-- The link that makes the first account.
CREATE TABLE setup_link (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    expires_at timestamptz NOT NULL
);

-- The root key that an installation without WAFT_ROOT_KEY generates. Servers that start for
-- the first time at once agree on the one row.
CREATE TABLE root_key (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at  timestamptz NOT NULL DEFAULT now()
);

-- Answers to requests with an idempotency key, written in the transaction of the change.
CREATE TABLE idempotency_keys (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- NULL for requests about the installation, such as the creation of a project.
    project_id   bigint CONSTRAINT idempotency_keys_project_fkey REFERENCES projects (id),
    caller       text NOT NULL,
    path         text NOT NULL,
    key          text NOT NULL,
    -- SHA-256 of the request.
    fingerprint  bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    status       integer NOT NULL,
    content_type text NOT NULL,
    -- Encrypted: an answer may hold a secret that is shown only once.
    answer       bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT idempotency_keys_request_key UNIQUE NULLS NOT DISTINCT (project_id, caller, path, key),
    -- Server errors are not kept: the caller may try again.
    CONSTRAINT idempotency_keys_status_check CHECK (status BETWEEN 200 AND 499)
);

CREATE INDEX idempotency_keys_age_index ON idempotency_keys (created_at);

-- Searching.

-- +goose StatementBegin
-- The words of texts, in lower case, each with its project before it: a search reads the words of its own project only.
CREATE FUNCTION search_words(project bigint, VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(coalesce(array_agg(DISTINCT project || ':' || left(word, 40)), '{}'))
    FROM unnest(texts) AS text, regexp_split_to_table(lower(text), '[^[:alnum:]]+') AS word WHERE word <> ''
$$;

-- Finds records that have a word beginning with each word of a text. NULL, which finds none, for a text without words.
CREATE FUNCTION search_query(project bigint, searched text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT string_agg('''' || project || ':' || left(word, 40) || ''':*', ' & ')::tsquery
    FROM regexp_split_to_table(lower(searched), '[^[:alnum:]]+') AS word WHERE word <> ''
$$;
-- +goose StatementEnd

-- Branches, channels and user overrides.

CREATE TABLE branches (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT branches_project_fkey REFERENCES projects (id),
    name       text NOT NULL CHECK (name <> ''),
    created_at timestamptz NOT NULL,
    -- The row of a deleted branch stays: its releases refer to it.
    deleted_at timestamptz,
    -- Foreign keys of all tables refer to a record with its project, so none points into another project.
    CONSTRAINT branches_tenant_key UNIQUE (project_id, id)
);

CREATE UNIQUE INDEX branches_name_key ON branches (project_id, name) WHERE deleted_at IS NULL;
-- The cost of a page must not depend on the number of records: each list, and each filter
-- of one, has an index that ends with the id that it is ordered by.
CREATE INDEX branches_live_index ON branches (project_id, id) WHERE deleted_at IS NULL;

CREATE TABLE channels (
    id                  bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id          bigint NOT NULL CONSTRAINT channels_project_fkey REFERENCES projects (id),
    name                text NOT NULL CHECK (name <> ''),
    branch_id           bigint NOT NULL,
    rollout_branch_id   bigint,
    rollout_percentage  double precision,
    min_runtime_version text,
    is_paused           boolean NOT NULL,
    is_protected        boolean NOT NULL,
    required_approvals  integer NOT NULL,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    CONSTRAINT channels_approvals_check CHECK (required_approvals BETWEEN 0 AND 5),
    CONSTRAINT channels_tenant_key UNIQUE (project_id, id),
    CONSTRAINT channels_name_key UNIQUE (project_id, name),
    CONSTRAINT channels_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT channels_rollout_branch_fkey FOREIGN KEY (project_id, rollout_branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT channels_share_check CHECK ((rollout_branch_id IS NULL) = (rollout_percentage IS NULL)),
    CONSTRAINT channels_percentage_check CHECK (rollout_percentage BETWEEN 0 AND 100)
);

CREATE INDEX channels_branch_index ON channels (branch_id);
CREATE INDEX channels_rollout_branch_index ON channels (rollout_branch_id) WHERE rollout_branch_id IS NOT NULL;

CREATE TABLE user_overrides (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT user_overrides_project_fkey REFERENCES projects (id),
    user_id    text NOT NULL CONSTRAINT user_overrides_user_check CHECK (user_id <> ''),
    branch_id  bigint NOT NULL,
    note       text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT user_overrides_user_key UNIQUE (project_id, user_id),
    CONSTRAINT user_overrides_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id)
);

CREATE INDEX user_overrides_project_index ON user_overrides (project_id, id);
CREATE INDEX user_overrides_branch_index ON user_overrides (branch_id);

-- No channel and no user override points to a deleted branch. A deleted branch keeps its
-- row, so triggers take the place of a foreign key. What points to a branch locks it until
-- the transaction ends, and a deletion checks after it has the lock: neither misses the other.

-- +goose StatementBegin
CREATE FUNCTION require_live_branch(project bigint, branch bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM branches WHERE project_id = project AND id = branch AND deleted_at IS NULL FOR SHARE;
    -- The foreign key reports a branch that never existed.
    IF NOT FOUND AND EXISTS (SELECT FROM branches WHERE project_id = project AND id = branch) THEN
        RAISE EXCEPTION 'branch % is deleted', branch
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'branches_live_check';
    END IF;
END
$$;

-- User overrides have no rollout_branch_id, which is then NULL.
CREATE FUNCTION needs_live_branches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_live_branch(NEW.project_id, NEW.branch_id);
    PERFORM require_live_branch(NEW.project_id, (to_jsonb(NEW) ->> 'rollout_branch_id')::bigint);
    RETURN NEW;
END
$$;

CREATE FUNCTION branch_must_be_unused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM channels WHERE branch_id = OLD.id)
        OR EXISTS (SELECT FROM channels WHERE rollout_branch_id = OLD.id)
        OR EXISTS (SELECT FROM user_overrides WHERE branch_id = OLD.id) THEN
        RAISE EXCEPTION 'branch % is pointed to', OLD.id
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'branches_unused_check';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER user_overrides_live_branch BEFORE INSERT OR UPDATE OF branch_id ON user_overrides
    FOR EACH ROW EXECUTE FUNCTION needs_live_branches();
-- +goose StatementBegin
CREATE FUNCTION note_protected_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE projects SET has_protected = EXISTS (SELECT FROM channels WHERE project_id = projects.id AND is_protected)
        WHERE id = coalesce(NEW.project_id, OLD.project_id);
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER channels_protection AFTER UPDATE OF is_protected ON channels
    FOR EACH ROW WHEN (OLD.is_protected <> NEW.is_protected) EXECUTE FUNCTION note_protected_channels();
CREATE TRIGGER channels_protected AFTER INSERT ON channels
    FOR EACH ROW WHEN (NEW.is_protected) EXECUTE FUNCTION note_protected_channels();
CREATE TRIGGER channels_protected_gone AFTER DELETE ON channels
    FOR EACH ROW WHEN (OLD.is_protected) EXECUTE FUNCTION note_protected_channels();
CREATE TRIGGER channels_live_branch BEFORE INSERT OR UPDATE OF branch_id, rollout_branch_id ON channels
    FOR EACH ROW EXECUTE FUNCTION needs_live_branches();
CREATE TRIGGER branches_unused BEFORE UPDATE OF deleted_at ON branches
    FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
    EXECUTE FUNCTION branch_must_be_unused();

-- Builds, their files and patches.

CREATE TABLE builds (
    id                 bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id         bigint NOT NULL CONSTRAINT builds_project_fkey REFERENCES projects (id),
    uuid               uuid NOT NULL UNIQUE,
    platform           text NOT NULL CHECK (platform IN ('ios', 'android')),
    runtime_version    text NOT NULL CHECK (runtime_version <> ''),
    message            text NOT NULL,
    client_config      jsonb CHECK (jsonb_typeof(client_config) = 'object'),
    git_commit_hash    text NOT NULL,
    git_branch         text NOT NULL,
    status             text NOT NULL CHECK (status IN ('uploaded', 'published')),
    asset_count        integer NOT NULL,
    size_bytes         bigint NOT NULL,
    new_asset_count    integer NOT NULL,
    new_bytes          bigint NOT NULL,
    -- Set when the build is the bundle of a binary: clients that run it send the id and get patches against it.
    embedded_update_id uuid,
    created_at         timestamptz NOT NULL,
    CONSTRAINT builds_tenant_key UNIQUE (project_id, id),
    CONSTRAINT builds_counts_check CHECK (asset_count > 0 AND new_asset_count BETWEEN 0 AND asset_count
        AND size_bytes >= 0 AND new_bytes BETWEEN 0 AND size_bytes)
);

CREATE UNIQUE INDEX builds_embedded_key ON builds (project_id, embedded_update_id) WHERE embedded_update_id IS NOT NULL;

-- The contents in the asset store. The cleanup deletes a row and its bytes after the last build.
CREATE TABLE blobs (
    project_id   bigint NOT NULL CONSTRAINT blobs_project_fkey REFERENCES projects (id),
    md5          text NOT NULL CHECK (md5 ~ '^[0-9a-f]{32}$'),
    sha256       text NOT NULL CHECK (sha256 ~ '^[A-Za-z0-9_-]{43}$'),
    size_bytes   bigint NOT NULL CONSTRAINT blobs_size_check CHECK (size_bytes >= 0),
    -- What the first bytes suggest, for files whose names say nothing.
    sniffed_type text NOT NULL,
    -- Whether a build ever had it. One that was uploaded alone waits for its build.
    in_build     boolean NOT NULL,
    -- How far the compressed variants are: 'none' where nobody wanted any.
    variants     text NOT NULL CHECK (variants IN ('none', 'pending', 'made')),
    -- The sizes of the compressed variants in the asset store; NULL where it has none.
    gzip_bytes   bigint,
    brotli_bytes bigint,
    PRIMARY KEY (project_id, md5),
    CONSTRAINT blobs_made_check CHECK (variants = 'made' OR gzip_bytes IS NULL AND brotli_bytes IS NULL),
    CONSTRAINT blobs_gzip_check CHECK (gzip_bytes > 0 AND gzip_bytes < size_bytes),
    CONSTRAINT blobs_brotli_check CHECK (brotli_bytes > 0 AND brotli_bytes < size_bytes)
);

-- Uploads name contents by their SHA-256.
CREATE UNIQUE INDEX blobs_sha256_key ON blobs (project_id, sha256);
CREATE INDEX blobs_pending_index ON blobs (project_id) WHERE variants = 'pending';

CREATE TABLE build_assets (
    build_id        bigint NOT NULL,
    project_id      bigint NOT NULL,
    path            text NOT NULL CHECK (path <> ''),
    md5             text NOT NULL,
    sha256          text NOT NULL,
    content_type    text NOT NULL,
    file_extension  text NOT NULL,
    size_bytes      bigint NOT NULL,
    is_launch_asset boolean NOT NULL,
    PRIMARY KEY (build_id, path),
    CONSTRAINT build_assets_build_fkey FOREIGN KEY (project_id, build_id) REFERENCES builds (project_id, id),
    CONSTRAINT build_assets_blob_fkey FOREIGN KEY (project_id, md5) REFERENCES blobs (project_id, md5)
);

CREATE UNIQUE INDEX build_assets_launch_key ON build_assets (build_id) WHERE is_launch_asset;
-- Finds whether a build has a file, and the build that says its content type.
CREATE INDEX build_assets_first_index ON build_assets (project_id, md5, is_launch_asset DESC, build_id);

-- The source maps of builds. Devices are served what build_assets names, and so no source map.
CREATE TABLE source_maps (
    build_id   bigint PRIMARY KEY,
    project_id bigint NOT NULL,
    md5        text NOT NULL,
    size_bytes bigint NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT source_maps_build_fkey FOREIGN KEY (project_id, build_id) REFERENCES builds (project_id, id),
    CONSTRAINT source_maps_blob_fkey FOREIGN KEY (project_id, md5) REFERENCES blobs (project_id, md5)
);

CREATE INDEX source_maps_blob_index ON source_maps (project_id, md5);

-- The contents that an upload needs until its build is recorded: the cleanup leaves them. A
-- hold that has expired is of an upload that failed.
CREATE TABLE blob_holds (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT blob_holds_project_fkey REFERENCES projects (id),
    md5s       jsonb NOT NULL CHECK (jsonb_typeof(md5s) = 'array'),
    -- By the database's clock, which all processes share.
    expires_at timestamptz NOT NULL
);

CREATE INDEX blob_holds_project_index ON blob_holds (project_id);

-- Contents that an upload was told are there, or that were uploaded alone: the cleanup leaves them until then. They are not a
-- column of blobs, whose every change snapshots follow.
CREATE TABLE blob_promises (
    project_id bigint NOT NULL,
    md5        text NOT NULL,
    until      timestamptz NOT NULL,
    PRIMARY KEY (project_id, md5),
    CONSTRAINT blob_promises_blob_fkey FOREIGN KEY (project_id, md5) REFERENCES blobs (project_id, md5) ON DELETE CASCADE
);

-- Files that are uploaded alone and have not arrived as a whole. The asset store has their parts under the id. The cleanup
-- deletes a row with its parts after expires_at.
CREATE TABLE partial_files (
    id             bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id     bigint NOT NULL CONSTRAINT partial_files_project_fkey REFERENCES projects (id),
    sha256         text NOT NULL CHECK (sha256 ~ '^[A-Za-z0-9_-]{43}$'),
    -- Of the whole file.
    size_bytes     bigint NOT NULL,
    received_bytes bigint NOT NULL,
    -- Objects in the order of their bytes: [{"name", "sizeBytes"}].
    parts          jsonb NOT NULL CHECK (jsonb_typeof(parts) = 'array'),
    -- The whole file has arrived, or can no longer. Its parts may still have to be deleted.
    ended          boolean NOT NULL,
    -- By the database's clock, which all processes share.
    expires_at     timestamptz NOT NULL,
    CONSTRAINT partial_files_received_check CHECK (received_bytes BETWEEN 0 AND size_bytes)
);

CREATE INDEX partial_files_name_index ON partial_files (project_id, sha256);

-- Contents to delete from the asset store; blobs has no row for them. A row is locked while
-- its content is deleted. An upload that needs it deletes the row, or waits and stores it again.
CREATE TABLE blob_removals (
    project_id bigint NOT NULL CONSTRAINT blob_removals_project_fkey REFERENCES projects (id),
    md5        text NOT NULL,
    PRIMARY KEY (project_id, md5)
);

-- Binary patches between launch assets. A row goes with either of its contents.
CREATE TABLE patches (
    project_id       bigint NOT NULL CONSTRAINT patches_project_fkey REFERENCES projects (id),
    target_md5       text NOT NULL,
    base_md5         text NOT NULL,
    -- The update for which the base was chosen; others may have the same content.
    base_update_uuid uuid NOT NULL,
    -- NULL for an embedded update. No foreign key: the release may be deleted.
    base_release_id  bigint,
    status           text NOT NULL CHECK (status IN ('pending', 'offered', 'skipped')),
    reason           text NOT NULL,
    size_bytes       bigint NOT NULL,
    sha256           text NOT NULL,
    full_bytes       bigint NOT NULL,
    -- What a device downloads without a patch: the smallest variant of the target.
    compressed_bytes bigint NOT NULL,
    duration_millis  bigint NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    PRIMARY KEY (project_id, target_md5, base_md5),
    CONSTRAINT patches_target_fkey FOREIGN KEY (project_id, target_md5) REFERENCES blobs (project_id, md5) ON DELETE CASCADE,
    CONSTRAINT patches_base_fkey FOREIGN KEY (project_id, base_md5) REFERENCES blobs (project_id, md5) ON DELETE CASCADE,
    CONSTRAINT patches_base_check CHECK (base_md5 <> target_md5),
    CONSTRAINT patches_reason_check CHECK ((status = 'skipped') = (reason <> '')),
    CONSTRAINT patches_sha256_check CHECK ((status = 'offered') = (sha256 <> '')),
    CONSTRAINT patches_sizes_check CHECK (size_bytes >= 0 AND full_bytes >= 0 AND compressed_bytes >= 0 AND duration_millis >= 0)
);

CREATE INDEX patches_base_index ON patches (project_id, base_md5);

-- Patches to delete from the asset store.
CREATE TABLE patch_removals (
    project_id bigint NOT NULL CONSTRAINT patch_removals_project_fkey REFERENCES projects (id),
    target_md5 text NOT NULL,
    base_md5   text NOT NULL,
    PRIMARY KEY (project_id, target_md5, base_md5)
);

-- +goose StatementBegin
CREATE FUNCTION waft_give_up_patch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A pending patch may lie in the asset store already.
    INSERT INTO patch_removals VALUES (OLD.project_id, OLD.target_md5, OLD.base_md5) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER patches_give_up AFTER DELETE ON patches
    FOR EACH ROW WHEN (OLD.status <> 'skipped') EXECUTE FUNCTION waft_give_up_patch();

CREATE TABLE code_signing_keys (
    id                 bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- An app trusts one certificate, so a project has one key.
    project_id         bigint NOT NULL CONSTRAINT code_signing_keys_project_fkey REFERENCES projects (id)
        CONSTRAINT code_signing_keys_project_key UNIQUE,
    key_id             text NOT NULL CHECK (key_id <> ''),
    certificate_pem    text NOT NULL,
    -- SHA-256 of the leaf certificate in hex, to compare with the one in the app.
    fingerprint        text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    not_before         timestamptz NOT NULL,
    not_after          timestamptz NOT NULL,
    -- Encrypted under WAFT_SECRET_KEY.
    sealed_private_key text NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT code_signing_keys_validity_check CHECK (not_before < not_after),
    CONSTRAINT code_signing_keys_sealed_check CHECK (sealed_private_key ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$')
);

-- Releases.

CREATE TABLE releases (
    id                     bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id             bigint NOT NULL CONSTRAINT releases_project_fkey REFERENCES projects (id),
    update_uuid            uuid NOT NULL UNIQUE,
    group_id               uuid NOT NULL,
    build_id               bigint,
    branch_id              bigint NOT NULL,
    -- The name of the channel it was published to. No foreign key: the channel may be deleted.
    channel                text,
    platform               text NOT NULL CHECK (platform IN ('ios', 'android')),
    runtime_version        text NOT NULL CHECK (runtime_version <> ''),
    is_enabled             boolean NOT NULL,
    is_critical            boolean NOT NULL,
    rollout_percentage     double precision NOT NULL,
    -- The greatest share while it was enabled: these devices may run it, so a rollback must reach them.
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
    created_at             timestamptz NOT NULL CHECK (extract(microseconds FROM created_at)::bigint % 1000 = 0),
    -- The release's place in the order of its branch, where that is not created_at:
    -- a successor stands where the release that it replaces stood, behind newer ones.
    place_at               timestamptz,
    updated_at             timestamptz NOT NULL,
    deleted_at             timestamptz,
    CONSTRAINT releases_tenant_key UNIQUE (project_id, id),
    -- Clients order updates by this time, in whole milliseconds.
    CONSTRAINT releases_created_at_key UNIQUE (project_id, created_at),
    CONSTRAINT releases_place_check CHECK (place_at <= created_at),
    CONSTRAINT releases_build_fkey FOREIGN KEY (project_id, build_id) REFERENCES builds (project_id, id),
    CONSTRAINT releases_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT releases_republished_from_fkey FOREIGN KEY (project_id, republished_from_id) REFERENCES releases (project_id, id),
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
CREATE INDEX releases_place_index ON releases
    (branch_id, platform, runtime_version, coalesce(place_at, created_at), created_at) WHERE deleted_at IS NULL;
CREATE INDEX releases_deleted_index ON releases (project_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX releases_build_index ON releases (build_id);
CREATE INDEX releases_republished_from_index ON releases (republished_from_id) WHERE republished_from_id IS NOT NULL;
-- A release's history names the rollback that reverted it.
CREATE INDEX releases_rolled_back_index ON releases USING gin (rolled_back_update_ids jsonb_path_ops);
-- One for each filter of the list of releases; releases_group_key serves groupId.
CREATE INDEX releases_live_index ON releases (project_id, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_channel_index ON releases (project_id, channel, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_branch_index ON releases (project_id, branch_id, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_platform_index ON releases (project_id, platform, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_runtime_version_index ON releases (project_id, runtime_version, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_search_index ON releases
    USING gin (search_words(project_id, id::text, update_uuid::text, release_message, git_commit_hash, git_branch)) WHERE deleted_at IS NULL;
CREATE INDEX releases_enabled_index ON releases (project_id, is_enabled, id) WHERE deleted_at IS NULL;

-- Aliases: further update ids and commit times of releases. Rows are never changed.
CREATE TABLE release_aliases (
    update_uuid   uuid NOT NULL CONSTRAINT release_aliases_pkey PRIMARY KEY,
    project_id    bigint NOT NULL CONSTRAINT release_aliases_project_fkey REFERENCES projects (id),
    release_id    bigint NOT NULL,
    original_uuid uuid NOT NULL,
    rollback_id   bigint NOT NULL,
    created_at    timestamptz NOT NULL CHECK (extract(microseconds FROM created_at)::bigint % 1000 = 0),
    CONSTRAINT release_aliases_release_fkey FOREIGN KEY (project_id, release_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_aliases_rollback_fkey FOREIGN KEY (project_id, rollback_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_aliases_created_at_key UNIQUE (project_id, created_at)
);

CREATE INDEX release_aliases_release_index ON release_aliases (release_id, created_at);
CREATE INDEX release_aliases_rollback_index ON release_aliases (rollback_id);

-- Rollouts.

CREATE TABLE rollout_policies (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id  bigint NOT NULL CONSTRAINT rollout_policies_project_fkey REFERENCES projects (id),
    name        text NOT NULL CHECK (name <> ''),
    description text NOT NULL,
    channel     text,
    is_active   boolean NOT NULL,
    stages      jsonb NOT NULL CHECK (jsonb_typeof(stages) = 'array' AND jsonb_array_length(stages) > 0),
    thresholds  jsonb NOT NULL CHECK (jsonb_typeof(thresholds) = 'object'),
    -- When rollouts under the policy may start and advance.
    schedule    jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(schedule) = 'object'),
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT rollout_policies_tenant_key UNIQUE (project_id, id)
);

-- A rollout keeps a copy of its policy's stages, thresholds and schedule.
CREATE TABLE rollout_executions (
    id               bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id       bigint NOT NULL CONSTRAINT rollout_executions_project_fkey REFERENCES projects (id),
    policy_id        bigint,
    policy_name      text NOT NULL,
    update_id        bigint NOT NULL,
    update_uuid      uuid NOT NULL,
    group_id         uuid NOT NULL,
    channel          text,
    platform         text NOT NULL CHECK (platform IN ('ios', 'android')),
    runtime_version  text NOT NULL,
    status           text NOT NULL CHECK (status IN ('running', 'paused', 'completed', 'rolled_back', 'cancelled')),
    stage_index      integer NOT NULL,
    stages           jsonb NOT NULL,
    thresholds       jsonb NOT NULL,
    schedule         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(schedule) = 'object'),
    percentage       double precision NOT NULL CHECK (percentage BETWEEN 0 AND 100),
    waiting_for      text NOT NULL,
    reason           text NOT NULL,
    health           jsonb,
    started_at       timestamptz NOT NULL,
    stage_started_at timestamptz NOT NULL,
    -- Since when observations count reports: the loss of a linked flag; NULL is started_at.
    counts_since     timestamptz,
    -- What else the planner needs of the stage, so that a watcher can plan without the workflow.
    progress         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(progress) = 'object'),
    paused_at        timestamptz,
    ended_at         timestamptz,
    workflow_id      text NOT NULL CONSTRAINT rollout_executions_workflow_key UNIQUE,
    run_id           text NOT NULL,
    -- The fence: each change must find the version that it read.
    version          bigint NOT NULL CHECK (version >= 0),
    CONSTRAINT rollout_executions_tenant_key UNIQUE (project_id, id),
    CONSTRAINT rollout_executions_policy_fkey FOREIGN KEY (project_id, policy_id) REFERENCES rollout_policies (project_id, id),
    CONSTRAINT rollout_executions_update_fkey FOREIGN KEY (project_id, update_id) REFERENCES releases (project_id, id),
    CONSTRAINT rollout_executions_ended_check CHECK ((status IN ('running', 'paused')) = (ended_at IS NULL)),
    CONSTRAINT rollout_executions_stage_check CHECK (stage_index >= 0 AND stage_index < jsonb_array_length(stages)),
    CONSTRAINT rollout_executions_waiting_check CHECK (waiting_for IN ('', 'duration', 'devices', 'threshold', 'data', 'networks', 'resume'))
);

-- Rollouts that the watchers should observe. Unlogged: the watchers' sweep finds what a lost prompt names.
CREATE UNLOGGED TABLE rollout_prompts (
    execution_id bigint PRIMARY KEY
);

-- Two open rollouts would set the share of one release against each other.
CREATE UNIQUE INDEX rollout_executions_open_key ON rollout_executions (update_id) WHERE status IN ('running', 'paused');
CREATE INDEX rollout_executions_open_policy_index ON rollout_executions (policy_id) WHERE status IN ('running', 'paused');
CREATE INDEX rollout_executions_open_project_index ON rollout_executions (project_id) WHERE status IN ('running', 'paused');
CREATE INDEX rollout_executions_update_index ON rollout_executions (update_id);
-- One for each filter of the list.
CREATE INDEX rollout_executions_status_index ON rollout_executions (project_id, status, id);
CREATE INDEX rollout_executions_channel_index ON rollout_executions (project_id, channel, id);
CREATE INDEX rollout_executions_of_update_index ON rollout_executions (project_id, update_id, id);
CREATE INDEX rollout_executions_of_policy_index ON rollout_executions (project_id, policy_id, id);
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
    percentage   double precision NOT NULL CHECK (percentage BETWEEN 0 AND 100),
    reason       text NOT NULL,
    health       jsonb,
    CONSTRAINT rollout_events_execution_fkey FOREIGN KEY (project_id, execution_id) REFERENCES rollout_executions (project_id, id),
    CONSTRAINT rollout_events_event_check CHECK (event IN ('started', 'stage_advanced', 'paused', 'resumed', 'held',
        'completed', 'cancelled', 'rolled_back', 'flags_reverted'))
);

CREATE INDEX rollout_events_execution_index ON rollout_events (execution_id, id);

-- A policy does not change while a rollout is open under it. The start of a rollout locks the
-- policy until the transaction ends, so that it and a change of the policy see each other.
-- +goose StatementBegin
CREATE FUNCTION rollout_executions_hold_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM rollout_policies WHERE id = NEW.policy_id FOR SHARE;
    RETURN NEW;
END
$$;

CREATE FUNCTION rollout_policies_locked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM rollout_executions WHERE policy_id = OLD.id AND status IN ('running', 'paused')) THEN
        RAISE EXCEPTION 'rollouts run by policy %', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'rollout_policies_locked_check';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER rollout_executions_hold_policy BEFORE INSERT ON rollout_executions
    FOR EACH ROW EXECUTE FUNCTION rollout_executions_hold_policy();
CREATE TRIGGER rollout_policies_locked BEFORE UPDATE OR DELETE ON rollout_policies
    FOR EACH ROW EXECUTE FUNCTION rollout_policies_locked();

-- Flags, segments and contexts.

CREATE TABLE flags (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id    bigint NOT NULL CONSTRAINT flags_project_fkey REFERENCES projects (id),
    key           text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
    name          text NOT NULL CHECK (name <> ''),
    description   text NOT NULL,
    flag_type     text NOT NULL,
    -- Values of every type are stored as text, so that numbers keep their digits.
    default_value text NOT NULL,
    enabled       boolean NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT flags_tenant_key UNIQUE (project_id, id),
    CONSTRAINT flags_key_key UNIQUE (project_id, key),
    CONSTRAINT flags_type_check CHECK (flag_type IN ('boolean', 'string', 'number', 'json')),
    CONSTRAINT flags_boolean_check CHECK (flag_type <> 'boolean' OR default_value IN ('true', 'false'))
);

CREATE INDEX flags_search_index ON flags USING gin (search_words(project_id, id::text, key, name, description));

CREATE TABLE flag_variations (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL,
    flag_id    bigint NOT NULL,
    name       text NOT NULL CHECK (name <> ''),
    value      text NOT NULL,
    position   integer NOT NULL,
    -- Foreign keys refer to a variation with its flag, so that a rule points to its own flag's variations.
    CONSTRAINT flag_variations_flag_key UNIQUE (flag_id, id),
    CONSTRAINT flag_variations_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    -- Deferred: two variations may swap names or values. A hash, as values may be too long for an index.
    CONSTRAINT flag_variations_name_key UNIQUE (flag_id, name) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT flag_variations_value_key EXCLUDE USING btree (flag_id WITH =, md5(value) WITH =) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE flag_environments (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id    bigint NOT NULL,
    flag_id       bigint NOT NULL,
    channel_id    bigint NOT NULL,
    -- NULL takes the flag's own.
    enabled       boolean,
    default_value text,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT flag_environments_key UNIQUE (flag_id, channel_id),
    CONSTRAINT flag_environments_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_environments_channel_fkey FOREIGN KEY (project_id, channel_id) REFERENCES channels (project_id, id)
);

CREATE INDEX flag_environments_channel_index ON flag_environments (channel_id);

CREATE TABLE segments (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id  bigint NOT NULL CONSTRAINT segments_project_fkey REFERENCES projects (id),
    key         text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
    name        text NOT NULL CHECK (name <> ''),
    description text NOT NULL,
    match_type  text NOT NULL CHECK (match_type IN ('all', 'any')),
    conditions  jsonb NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT segments_tenant_key UNIQUE (project_id, id),
    CONSTRAINT segments_key_key UNIQUE (project_id, key),
    CONSTRAINT segments_conditions_check CHECK (jsonb_typeof(conditions) = 'array' AND jsonb_array_length(conditions) > 0)
);

CREATE TABLE flag_rules (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    rule_type    text NOT NULL,
    rule_config  jsonb NOT NULL CONSTRAINT flag_rules_config_check CHECK (jsonb_typeof(rule_config) = 'object'),
    variation_id bigint,
    segment_id   bigint,
    priority     integer NOT NULL,
    channel_id   bigint,
    CONSTRAINT flag_rules_flag_key UNIQUE (flag_id, id),
    CONSTRAINT flag_rules_tenant_key UNIQUE (project_id, id),
    CONSTRAINT flag_rules_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_rules_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id),
    CONSTRAINT flag_rules_segment_fkey FOREIGN KEY (project_id, segment_id) REFERENCES segments (project_id, id),
    CONSTRAINT flag_rules_channel_fkey FOREIGN KEY (project_id, channel_id) REFERENCES channels (project_id, id),
    CONSTRAINT flag_rules_type_check CHECK (rule_type IN ('user_list', 'percentage_rollout', 'attribute', 'segment', 'ota_update')),
    CONSTRAINT flag_rules_variation_check CHECK (variation_id IS NOT NULL OR rule_type = 'percentage_rollout'),
    CONSTRAINT flag_rules_segment_check CHECK ((segment_id IS NOT NULL) = (rule_type = 'segment'))
);

CREATE INDEX flag_rules_variation_index ON flag_rules (variation_id) WHERE variation_id IS NOT NULL;
CREATE INDEX flag_rules_segment_index ON flag_rules (segment_id) WHERE segment_id IS NOT NULL;
CREATE INDEX flag_rules_channel_index ON flag_rules (channel_id) WHERE channel_id IS NOT NULL;

-- The shares of a percentage rollout are rows, so that none outlives its variation.
CREATE TABLE flag_rule_shares (
    rule_id      bigint NOT NULL,
    project_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    position     integer NOT NULL,
    variation_id bigint NOT NULL,
    weight       double precision NOT NULL CHECK (weight BETWEEN 0 AND 100),
    PRIMARY KEY (rule_id, variation_id),
    CONSTRAINT flag_rule_shares_rule_fkey FOREIGN KEY (flag_id, rule_id) REFERENCES flag_rules (flag_id, id),
    CONSTRAINT flag_rule_shares_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_rule_shares_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id)
);

CREATE INDEX flag_rule_shares_flag_index ON flag_rule_shares (flag_id);
CREATE INDEX flag_rule_shares_variation_index ON flag_rule_shares (variation_id);

-- Linked flags: what devices that run a release get of a flag.
CREATE TABLE release_flags (
    release_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    project_id   bigint NOT NULL,
    enabled      boolean NOT NULL,
    -- NULL for boolean flags and for flags that the release turns off, where enabled says it.
    variation_id bigint,
    PRIMARY KEY (release_id, flag_id),
    CONSTRAINT release_flags_release_fkey FOREIGN KEY (project_id, release_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_flags_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT release_flags_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id),
    CONSTRAINT release_flags_variation_check CHECK (enabled OR variation_id IS NULL)
);

CREATE INDEX release_flags_flag_index ON release_flags (flag_id);
CREATE INDEX release_flags_variation_index ON release_flags (variation_id) WHERE variation_id IS NOT NULL;

CREATE TABLE contexts (
    id               bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id       bigint NOT NULL CONSTRAINT contexts_project_fkey REFERENCES projects (id),
    kind             text NOT NULL CHECK (kind IN ('user', 'device', 'organization', 'service', 'environment')),
    targeting_key    text NOT NULL CHECK (targeting_key <> ''),
    name             text NOT NULL,
    attributes       jsonb NOT NULL CHECK (jsonb_typeof(attributes) = 'object'),
    first_seen_at    timestamptz NOT NULL,
    last_seen_at     timestamptz NOT NULL,
    evaluation_count bigint NOT NULL CHECK (evaluation_count >= 0),
    -- Made or changed by a person or a key: evaluations change neither its name nor its attributes, and it is not
    -- deleted for recorded ones.
    pinned           boolean NOT NULL,
    CONSTRAINT contexts_key_key UNIQUE (project_id, kind, targeting_key),
    CONSTRAINT contexts_seen_check CHECK (last_seen_at >= first_seen_at)
);

CREATE INDEX contexts_project_index ON contexts (project_id, id);
CREATE INDEX contexts_kind_index ON contexts (project_id, kind, id);
-- Finds the ones to delete when a project has too many.
CREATE INDEX contexts_seen_index ON contexts (project_id, last_seen_at, id) WHERE NOT pinned;
-- Counts those that are never deleted.
CREATE INDEX contexts_pinned_index ON contexts (project_id) WHERE pinned;

-- Telemetry and incidents.

-- Which log entry counts for a health report that its sender may send again. Later claims
-- delete rows that are older than a day.
CREATE TABLE report_claims (
    -- Made from project, device and name.
    report_id  uuid PRIMARY KEY,
    -- The ingest log and the number of the entry in it.
    node       uuid NOT NULL,
    entry      bigint NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX report_claims_age_index ON report_claims (claimed_at);

-- Devices whose data is to be deleted. Reports may still be in an ingest log, so the deletion
-- is repeated over a day, and the row stays as long as a log may have earlier reports.
CREATE TABLE device_erasures (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT device_erasures_project_fkey REFERENCES projects (id),
    -- Every id under which telemetry may store the device.
    identities jsonb NOT NULL CHECK (jsonb_typeof(identities) = 'array'),
    erased_at  timestamptz NOT NULL DEFAULT now(),
    -- How many deletions were made, and when the next one is due; NULL after the last.
    passes     integer NOT NULL DEFAULT 0,
    next_at    timestamptz DEFAULT now()
);

CREATE INDEX device_erasures_due_index ON device_erasures (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX device_erasures_age_index ON device_erasures (erased_at);
CREATE INDEX device_erasures_project_index ON device_erasures (project_id);

CREATE TABLE incidents (
    id                       bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id               bigint NOT NULL CONSTRAINT incidents_project_fkey REFERENCES projects (id),
    -- '' for the embedded update. No foreign key: devices may report an id that no release has.
    update_uuid              text NOT NULL,
    channel                  text NOT NULL,
    platform                 text NOT NULL,
    runtime_version          text NOT NULL,
    flag_key                 text,
    flag_variation           text,
    -- Of the hour before checked_at.
    devices                  bigint NOT NULL,
    errored_devices          bigint NOT NULL,
    crashed_devices          bigint NOT NULL,
    peak_errored_devices     bigint NOT NULL,
    -- Of the 24 hours before opened_at, summed over the hours.
    baseline_devices         bigint NOT NULL,
    baseline_errored_devices bigint NOT NULL,
    opened_at                timestamptz NOT NULL,
    checked_at               timestamptz NOT NULL,
    closed_at                timestamptz,
    -- Who looks after it, as the audit log names them; NULL for nobody.
    acknowledged_by          text,
    acknowledged_at          timestamptz,
    note                     text NOT NULL DEFAULT '',
    CONSTRAINT incidents_acknowledged_check CHECK ((acknowledged_by IS NULL) = (acknowledged_at IS NULL)),
    CONSTRAINT incidents_flag_check CHECK ((flag_key IS NULL) = (flag_variation IS NULL)),
    CONSTRAINT incidents_closed_check CHECK (closed_at >= opened_at),
    CONSTRAINT incidents_devices_check CHECK (crashed_devices <= errored_devices AND errored_devices <= devices)
);

-- Several processes may find a spike at once; one of them opens the incident.
CREATE UNIQUE INDEX incidents_open_key ON incidents (project_id, update_uuid, channel, platform, runtime_version)
    WHERE closed_at IS NULL;
CREATE INDEX incidents_project_index ON incidents (project_id, id);

-- Projects that are stopped, with what that paused.
CREATE TABLE emergency_stops (
    project_id bigint PRIMARY KEY CONSTRAINT emergency_stops_project_fkey REFERENCES projects (id),
    reason     text NOT NULL CHECK (reason <> ''),
    stopped_by text NOT NULL,
    stopped_at timestamptz NOT NULL,
    channels   jsonb NOT NULL,
    executions jsonb NOT NULL
);

-- Webhooks, audit log and outbox.

CREATE TABLE webhooks (
    id              bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id      bigint NOT NULL CONSTRAINT webhooks_project_fkey REFERENCES projects (id),
    url             text NOT NULL CHECK (url ~ '^https?://'),
    description     text NOT NULL,
    events          jsonb NOT NULL CHECK (jsonb_typeof(events) = 'array' AND jsonb_array_length(events) > 0),
    is_active       boolean NOT NULL,
    -- Why Waft disabled the webhook, empty when it did not.
    disabled_reason text NOT NULL DEFAULT '',
    -- The first failed attempt since the last one that succeeded.
    failing_since   timestamptz,
    -- Encrypted under WAFT_SECRET_KEY, not hashed: signing needs the secret itself.
    sealed_secret   text NOT NULL,
    secret_hint     text NOT NULL,
    -- The secret before a rotation, which signs too until previous_secret_until; '' without one.
    sealed_previous_secret text NOT NULL DEFAULT '',
    previous_secret_until  timestamptz,
    format          text NOT NULL DEFAULT 'standard' CHECK (format IN ('standard', 'slack', 'teams')),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT webhooks_tenant_key UNIQUE (project_id, id),
    CONSTRAINT webhooks_sealed_secret_check CHECK (sealed_secret ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$'),
    CONSTRAINT webhooks_previous_secret_check CHECK ((previous_secret_until IS NULL) = (sealed_previous_secret = '')
        AND (sealed_previous_secret = '' OR sealed_previous_secret ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$'))
);

CREATE INDEX webhooks_previous_secret_index ON webhooks (previous_secret_until) WHERE previous_secret_until IS NOT NULL;

CREATE TABLE webhook_deliveries (
    id              bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id      bigint NOT NULL,
    webhook_id      bigint NOT NULL,
    message_id      text NOT NULL,
    event           text NOT NULL,
    -- Stored, so that every attempt sends the same bytes.
    body            text NOT NULL DEFAULT '',
    -- The delivery that this one repeats. No foreign key: old deliveries are deleted.
    redelivery_of   bigint,
    status          text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
    attempts        jsonb NOT NULL CHECK (jsonb_typeof(attempts) = 'array'),
    next_attempt_at timestamptz,
    workflow_id     text NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id),
    CONSTRAINT webhook_deliveries_next_attempt_check CHECK (next_attempt_at IS NULL OR status = 'pending')
);

CREATE INDEX webhook_deliveries_webhook_index ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_status_index ON webhook_deliveries (webhook_id, status, id);
CREATE INDEX webhook_deliveries_event_index ON webhook_deliveries (webhook_id, event, id);
-- Finds whether a message was sent again.
CREATE INDEX webhook_deliveries_again_index ON webhook_deliveries (webhook_id, message_id);
-- A message has one delivery, besides those that send it again.
CREATE UNIQUE INDEX webhook_deliveries_message_key ON webhook_deliveries (webhook_id, message_id)
    WHERE redelivery_of IS NULL AND body <> '';
CREATE INDEX webhook_deliveries_pending_index ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
-- Finds the old ones to delete.
CREATE INDEX webhook_deliveries_ended_index ON webhook_deliveries (created_at) WHERE status <> 'pending';

CREATE TABLE audit_log (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- No foreign key: the log outlives the project.
    project_id  bigint NOT NULL,
    action      text NOT NULL,
    actor_type  text NOT NULL CHECK (actor_type IN ('api_key', 'user', 'system')),
    actor_id    text NOT NULL,
    actor_name  text NOT NULL,
    entity_type text NOT NULL,
    entity_id   text NOT NULL,
    details     jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
    request_id  text NOT NULL,
    created_at  timestamptz NOT NULL,
    -- Event streams follow the log by transactions, which may commit in another order than their rows got ids.
    changed_tx  xid8 NOT NULL DEFAULT pg_current_xact_id()
);

CREATE INDEX audit_log_transaction_index ON audit_log (project_id, changed_tx);
-- One for each filter of the log. Record ids are unique over all kinds of records, so
-- the index of entity_id serves the filter of id and kind too.
CREATE INDEX audit_log_project_index ON audit_log (project_id, id);
CREATE INDEX audit_log_action_index ON audit_log (project_id, action, id);
CREATE INDEX audit_log_kind_index ON audit_log (project_id, entity_type, id);
CREATE INDEX audit_log_record_index ON audit_log (project_id, entity_id, id);
CREATE INDEX audit_log_actor_index ON audit_log (project_id, actor_id, id);
CREATE INDEX audit_log_actor_name_index ON audit_log (project_id, actor_name, id);
-- Finds the ids of a time.
CREATE INDEX audit_log_time_index ON audit_log (project_id, created_at, id);

-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- +goose StatementBegin
CREATE FUNCTION audit_log_tell_streams() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('waft_change', project_id::text) FROM (SELECT DISTINCT project_id FROM written) AS changed;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER audit_log_tell_streams AFTER INSERT ON audit_log REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_tell_streams();

CREATE TABLE outbox (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- No foreign key: deleting a project must not wait for a message in flight.
    project_id bigint NOT NULL,
    kind       text NOT NULL CHECK (kind <> ''),
    payload    jsonb NOT NULL,
    -- Lower ones are relayed first: webhook messages, of which there may be many, delay no rollout.
    priority   smallint NOT NULL DEFAULT 0,
    -- The database's clock, which all relays share, says when a message is due.
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts   integer NOT NULL DEFAULT 0,
    not_before timestamptz NOT NULL DEFAULT now(),
    last_error text NOT NULL DEFAULT '',
    -- A W3C traceparent. A traced transaction sets the parameter.
    trace_context text DEFAULT nullif(current_setting('waft.trace_context', true), '')
);

CREATE INDEX outbox_due_index ON outbox (priority, not_before, id);

-- Snapshots.

-- One row for each record of snapshots that a transaction wrote or deleted. A reader that has
-- a project as some transactions left it reads next what the others changed. Their ids say
-- which those are, in whatever order they commit; a time or a counter would not. Rows are
-- deleted after a day.
CREATE TABLE snapshot_changes (
    project_id bigint NOT NULL,
    changed_tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- The table, or a name for several that are always read together.
    part       text NOT NULL,
    -- The record's key in it; '' where the part is read as a whole.
    key        text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- Not unique: concurrent transactions must not wait for each other here.
CREATE INDEX snapshot_changes_index ON snapshot_changes (project_id, changed_tx);

-- +goose StatementBegin
-- The arguments are the part, and the SQL expression of the key.
CREATE FUNCTION note_snapshot_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO snapshot_changes (project_id, part, key) SELECT DISTINCT project_id, %L, %s FROM changed',
        TG_ARGV[0], TG_ARGV[1]);
    RETURN NULL;
END
$$;

-- Makes snapshots follow a table. No update may change a record's key.
CREATE PROCEDURE follow_in_snapshots(followed regclass, part text, key text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER snapshot_insert AFTER INSERT ON %s REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_snapshot_change(%L, %L)', followed, part, key);
    EXECUTE format('CREATE TRIGGER snapshot_update AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_snapshot_change(%L, %L)', followed, part, key);
    EXECUTE format('CREATE TRIGGER snapshot_delete AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_snapshot_change(%L, %L)', followed, part, key);
END
$$;
-- +goose StatementEnd

CALL follow_in_snapshots('branches', 'branches', 'id::text');
CALL follow_in_snapshots('channels', 'channels', 'id::text');
CALL follow_in_snapshots('user_overrides', 'user_overrides', 'user_id');
CALL follow_in_snapshots('releases', 'releases', 'id::text');
CALL follow_in_snapshots('release_aliases', 'release_aliases', 'update_uuid::text');
-- A snapshot has a file as long as a build has it.
CALL follow_in_snapshots('blobs', 'blobs', 'md5');
CALL follow_in_snapshots('build_assets', 'blobs', 'md5');
CALL follow_in_snapshots('patches', 'patches', 'target_md5 || ''/'' || base_md5');
CALL follow_in_snapshots('flags', 'flags', '''''');
CALL follow_in_snapshots('flag_variations', 'flags', '''''');
CALL follow_in_snapshots('flag_environments', 'flags', '''''');
CALL follow_in_snapshots('flag_rules', 'flags', '''''');
CALL follow_in_snapshots('flag_rule_shares', 'flags', '''''');
CALL follow_in_snapshots('segments', 'flags', '''''');
CALL follow_in_snapshots('release_flags', 'flags', '''''');
CALL follow_in_snapshots('code_signing_keys', 'signing', '''''');
