-- +goose Up

-- A record's ETag is made of its id and its version: a change with If-Match fails when the record has another version.

ALTER TABLE channels ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE releases ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE flags ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE segments ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE rollout_policies ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE members ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE projects ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE webhooks ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE contexts ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE incidents ADD COLUMN version bigint NOT NULL DEFAULT 1;

-- +goose StatementBegin
CREATE FUNCTION next_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

-- Every update of these tables changes the record. A change of a flag's rules, variations or settings updates the flag as well,
-- and a change of a release's linked flags updates the release.
CREATE TRIGGER next_version BEFORE UPDATE ON channels FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON releases FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON flags FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON segments FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON rollout_policies FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON members FOR EACH ROW EXECUTE FUNCTION next_version();

-- Waft itself updates other columns of these tables, such as counts, which makes no other version.
CREATE TRIGGER next_version BEFORE UPDATE OF build_retention_days, telemetry_retention_days, hash_ids, trusted_networks ON projects
    FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE OF updated_at ON webhooks FOR EACH ROW EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON contexts FOR EACH ROW
    WHEN ((OLD.name, OLD.attributes, OLD.pinned) IS DISTINCT FROM (NEW.name, NEW.attributes, NEW.pinned))
    EXECUTE FUNCTION next_version();
CREATE TRIGGER next_version BEFORE UPDATE ON incidents FOR EACH ROW
    WHEN ((OLD.closed_at, OLD.acknowledged_by, OLD.acknowledged_at, OLD.note)
        IS DISTINCT FROM (NEW.closed_at, NEW.acknowledged_by, NEW.acknowledged_at, NEW.note))
    EXECUTE FUNCTION next_version();
