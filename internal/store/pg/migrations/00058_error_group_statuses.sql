-- +goose Up

-- What people decided about error groups. ClickHouse has the groups; only a group that a person assigned, resolved or
-- noted has a row here, so devices cannot add rows.
CREATE TABLE error_group_statuses (
    id               bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id       bigint NOT NULL CONSTRAINT error_group_statuses_project_fkey REFERENCES projects (id),
    -- 16 hex digits, as in the API.
    fingerprint      text NOT NULL,
    -- For people, and for messages after ClickHouse has deleted the group.
    error_name       text NOT NULL,
    message          text NOT NULL,
    -- A member of the project. A group of a removed member has no assignee.
    assignee_id      bigint,
    note             text NOT NULL DEFAULT '',
    resolved_at      timestamptz,
    -- Who resolved the group, as the audit log names them.
    resolved_by      text,
    -- For each platform, the creation of the newest release that had the group when it was resolved.
    resolved_after   jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(resolved_after) = 'object'),
    -- When Waft saw the resolved group on a newer release, and the update ID of that release.
    regressed_at     timestamptz,
    regressed_update text,
    -- A time at which the group existed in ClickHouse.
    seen_at          timestamptz NOT NULL,
    version          bigint NOT NULL DEFAULT 1,
    CONSTRAINT error_group_statuses_fingerprint_key UNIQUE (project_id, fingerprint),
    CONSTRAINT error_group_statuses_assignee_fkey FOREIGN KEY (project_id, assignee_id) REFERENCES members (project_id, user_id)
        ON DELETE SET NULL (assignee_id),
    CONSTRAINT error_group_statuses_resolved_check CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
    CONSTRAINT error_group_statuses_regressed_check CHECK
        ((regressed_at IS NULL) = (regressed_update IS NULL) AND (regressed_at IS NULL OR resolved_at IS NOT NULL))
);

CREATE INDEX error_group_statuses_assignee_index ON error_group_statuses (project_id, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX error_group_statuses_age_index ON error_group_statuses (seen_at);

CREATE TRIGGER next_version BEFORE UPDATE ON error_group_statuses FOR EACH ROW
    WHEN (OLD.seen_at IS NOT DISTINCT FROM NEW.seen_at) EXECUTE FUNCTION next_version();
