-- +goose Up

-- What the snapshots of projects are to read again: one row for each record that a
-- transaction wrote or deleted. Whoever has read a project up to some transactions
-- reads of it next what other transactions changed. A transaction's number says
-- that, whatever the order in which transactions commit; a time or a counter, taken
-- before the commit, would not. Nobody needs the rows of yesterday.
CREATE TABLE snapshot_changes (
    project_id bigint NOT NULL,
    changed_tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- The table, or a name for several that are always read together.
    part       text NOT NULL,
    -- The record's key in it; '' where the part is read as a whole.
    key        text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- Not unique: a transaction may change a record twice, and two at once must not wait
-- for each other here.
CREATE INDEX snapshot_changes_index ON snapshot_changes (project_id, changed_tx);

-- The arguments are the part, and the SQL expression of the key.
-- +goose StatementBegin
CREATE FUNCTION note_snapshot_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO snapshot_changes (project_id, part, key) SELECT DISTINCT project_id, %L, %s FROM changed',
        TG_ARGV[0], TG_ARGV[1]);
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Makes snapshots follow a table. No update may change a record's key.
-- +goose StatementBegin
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
-- A file is there as long as a build has it.
CALL follow_in_snapshots('blobs', 'blobs', 'md5');
CALL follow_in_snapshots('build_assets', 'blobs', 'md5');
CALL follow_in_snapshots('flags', 'flags', '''''');
CALL follow_in_snapshots('flag_variations', 'flags', '''''');
CALL follow_in_snapshots('flag_environments', 'flags', '''''');
CALL follow_in_snapshots('flag_rules', 'flags', '''''');
CALL follow_in_snapshots('flag_rule_shares', 'flags', '''''');
CALL follow_in_snapshots('segments', 'flags', '''''');
CALL follow_in_snapshots('release_flags', 'flags', '''''');
CALL follow_in_snapshots('code_signing_keys', 'signing', '''''');

-- Whether a build has a file, and which of them says its content type. It serves what
-- the one in its place did.
CREATE INDEX build_assets_first_index ON build_assets (project_id, md5, is_launch_asset DESC, build_id);
DROP INDEX build_assets_blob_index;

CREATE INDEX rollout_executions_open_project_index ON rollout_executions (project_id) WHERE status IN ('running', 'paused');
