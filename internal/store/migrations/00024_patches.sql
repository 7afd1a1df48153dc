-- +goose Up

-- The id of the update inside a binary, on the build that holds that binary's
-- bundle: clients that run it name it, and get patches against the bundle.
ALTER TABLE builds ADD COLUMN embedded_update_id uuid;
CREATE UNIQUE INDEX builds_embedded_key ON builds (project_id, embedded_update_id) WHERE embedded_update_id IS NOT NULL;

-- Differences between launch assets. A row is there as long as both contents are.
CREATE TABLE patches (
    project_id       bigint NOT NULL CONSTRAINT patches_project_fkey REFERENCES projects (id),
    target_md5       text NOT NULL,
    base_md5         text NOT NULL,
    -- The update for which the base was chosen; others may have the same content.
    base_update_uuid uuid NOT NULL,
    -- NULL for an update inside a binary. History, so no foreign key.
    base_release_id  bigint,
    status           text NOT NULL,
    -- Why it is skipped.
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
    CONSTRAINT patches_status_check CHECK (status IN ('pending', 'offered', 'skipped')),
    CONSTRAINT patches_reason_check CHECK ((status = 'skipped') = (reason <> '')),
    CONSTRAINT patches_sha256_check CHECK ((status = 'offered') = (sha256 <> '')),
    CONSTRAINT patches_sizes_check CHECK (size_bytes >= 0 AND full_bytes >= 0 AND compressed_bytes >= 0 AND duration_millis >= 0)
);

CREATE INDEX patches_base_index ON patches (project_id, base_md5);

CALL follow_in_snapshots('patches', 'patches', 'target_md5 || ''/'' || base_md5');

-- Patches that are to go from the asset store, as blob_removals are contents.
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
