-- +goose Up

CREATE TABLE user_overrides (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT user_overrides_project_fkey REFERENCES projects (id),
    user_id    text NOT NULL,
    branch_id  bigint NOT NULL,
    note       text NOT NULL,
    created_at timestamptz NOT NULL,
    -- A user has one branch, or it would be a matter of chance which.
    CONSTRAINT user_overrides_user_key UNIQUE (project_id, user_id),
    CONSTRAINT user_overrides_branch_fkey FOREIGN KEY (project_id, branch_id) REFERENCES branches (project_id, id),
    CONSTRAINT user_overrides_user_check CHECK (user_id <> '')
);

CREATE INDEX user_overrides_project_index ON user_overrides (project_id, id);
CREATE INDEX user_overrides_branch_index ON user_overrides (branch_id);

-- A deleted branch keeps its row, so foreign keys do not see that it is gone. These
-- triggers do: nothing that devices follow points to a deleted branch. Whoever
-- points to one locks it against deletion until the transaction ends, and the
-- deletion looks after it got the lock, so the two cannot pass each other.

-- +goose StatementBegin
CREATE FUNCTION require_live_branch(project bigint, branch bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM branches WHERE project_id = project AND id = branch AND deleted_at IS NULL FOR SHARE;
    -- A branch that never was is left to the foreign key.
    IF NOT FOUND AND EXISTS (SELECT FROM branches WHERE project_id = project AND id = branch) THEN
        RAISE EXCEPTION 'branch % is deleted', branch
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'branches_live_check';
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION user_override_needs_live_branch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_live_branch(NEW.project_id, NEW.branch_id);
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER user_overrides_live_branch BEFORE INSERT OR UPDATE OF branch_id ON user_overrides
    FOR EACH ROW EXECUTE FUNCTION user_override_needs_live_branch();

-- +goose StatementBegin
CREATE FUNCTION channel_needs_live_branches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_live_branch(NEW.project_id, NEW.branch_id);
    IF NEW.rollout_branch_id IS NOT NULL THEN
        PERFORM require_live_branch(NEW.project_id, NEW.rollout_branch_id);
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER channels_live_branch BEFORE INSERT OR UPDATE OF branch_id, rollout_branch_id ON channels
    FOR EACH ROW EXECUTE FUNCTION channel_needs_live_branches();

-- +goose StatementBegin
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

CREATE TRIGGER branches_unused BEFORE UPDATE OF deleted_at ON branches
    FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
    EXECUTE FUNCTION branch_must_be_unused();
